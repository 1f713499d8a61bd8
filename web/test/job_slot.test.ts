import { expect, test } from "vitest";
import { cell } from "../src/core/cell";
import type { Status } from "../src/core/connection";
import { ConnectionLost } from "../src/core/connection";
import { JobSlot } from "../src/core/job_slot";
import type { Studio } from "../src/core/studio";
import { LARGEST_TEXT } from "../src/messages";
import { Runner } from "../src/program/runner";

/** A server that is lost so often before it answers. */
function studio(losses: number) {
  const status = cell<Status>("connected");
  const asked: string[] = [];
  const complaints: unknown[] = [];
  const job = (kind: string) => {
    asked.push(kind);
    const lost = asked.length <= losses;
    if (lost) status.set("lost");
    return { answer: lost ? Promise.reject(new ConnectionLost()) : Promise.resolve({ result: "done", blocks: {} }), cancel: () => undefined };
  };
  const notes = { complain: (error: unknown) => complaints.push(error) };
  return { status, asked, complaints, studio: { connection: { status, job }, notes, state: { planning: cell({}) } } as unknown as Studio };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 0));

test("a job that is lost with its server is begun again when there is one", async () => {
  const { status, asked, complaints, studio: page } = studio(1);
  const slot = new JobSlot(page);
  const answer = slot.perform("Verifying", "files", {});
  await soon();
  expect(slot.work.get()?.progress.text).toContain("connection lost");
  status.set("connected");
  expect((await answer)?.result).toBe("done");
  expect([asked.length, complaints.length, slot.failure.get(), slot.work.get()]).toEqual([2, 0, null, null]);
});

test("a job that is lost again is given up, and that is said", async () => {
  const { status, asked, studio: page } = studio(2);
  const slot = new JobSlot(page);
  const answer = slot.perform("Verifying", "files", {});
  await soon();
  status.set("connected");
  expect(await answer).toBeNull();
  expect(asked.length).toBe(2);
  expect(slot.failure.get()?.message).toContain("start it again");
});

test("who waits for the server can stop it", async () => {
  const { status, asked, complaints, studio: page } = studio(1);
  const slot = new JobSlot(page);
  const answer = slot.perform("Verifying", "files", {});
  await soon();
  slot.cancel();
  expect(await answer).toBeNull();
  status.set("connected");
  expect([asked.length, String(complaints[0])]).toEqual([1, "ServerError: cancelled"]);
});

test("too long a program is not sent", async () => {
  const { asked, studio: page } = studio(0);
  const runner = new Runner(page);
  await runner.verify("x".repeat(LARGEST_TEXT + 1));
  expect(asked).toEqual([]);
  expect(runner.slot.failure.get()?.message).toBe("The program is too long: it has 1048577 characters, at most 1048576 are taken.");
});
