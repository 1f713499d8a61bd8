import type { Studio } from "../core/studio";
import type { DownloadRequest } from "../messages";
import { handOverAddress } from "./picture";

/** Has the server write a file of a run, a study or equations, and hands it to the browser. */
export async function downloadFile(studio: Studio, what: DownloadRequest["what"], of: DownloadRequest["of"]): Promise<void> {
  studio.notes.say("The file is being written.");
  try {
    const { url, name } = await studio.connection.ask("download", { what, of });
    handOverAddress(url, name);
  } catch (error) {
    studio.notes.complain(error);
  }
}
