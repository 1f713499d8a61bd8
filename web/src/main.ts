import { Connection } from "./core/connection";
import type { Hello } from "./messages";

// The server is asked before the page is read: it answers meanwhile.
const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
const connection = new Connection(address);
const greeting = new Promise<Hello>((resolve, reject) => {
  const stop = connection.status.on((status) => {
    stop();
    if (status === "connected") connection.ask("hello", {}).then(resolve, reject);
    else reject(new Error("no server answers; it is tried again"));
  });
});
greeting.catch(() => undefined); // who waits for it is told
connection.open();
const { openStudio } = await import("./page/studio_page");
openStudio(connection, greeting);
