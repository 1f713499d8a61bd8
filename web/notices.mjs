// The licences of what is in the bundle, one after another.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const packageOf = (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];

/** The text of notices.txt: every package that an output file holds bytes of. */
export async function notices(root, metafile) {
  const used = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const input of Object.keys(output.inputs)) {
      const name = packageOf(input);
      if (name) used.add(name);
    }
  }
  const parts = await Promise.all([...used].sort().map((name) => notice(root, name)));
  return `armdyn's studio holds parts of these packages.\n\n${parts.join("\n")}`;
}

async function notice(root, name) {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`package ${name} has no licence file`);
  const text = (await readFile(join(folder, file), "utf8")).replace(/\r\n/g, "\n").trim();
  return `${"=".repeat(80)}\n${name} ${version} (${license})\n${"=".repeat(80)}\n${text}\n`;
}
