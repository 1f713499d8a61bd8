// Builds the page into src/armdyn/studio/static: the same sources give the same bytes.
import { context, build } from "esbuild";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { notices } from "./notices.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
const out = process.argv.includes("--out")
  ? resolve(argument("--out"))
  : resolve(here, "../src/armdyn/studio/static");

// Every browser that runs the page reads woff2: the older forms of KaTeX's fonts stay out.
const onlyWoff2 = {
  name: "only-woff2",
  setup(builder) {
    builder.onLoad({ filter: /katex\.css$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      return { contents: text.replace(/,\s*url\([^)]*\.(woff|ttf)\) format\([^)]*\)/g, ""), loader: "css" };
    });
  },
};

const options = {
  absWorkingDir: here,
  entryPoints: { studio: "src/main.ts", style: "src/style/style.css" },
  outdir: out,
  bundle: true,
  format: "esm",
  splitting: true,
  minify: true,
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  chunkNames: "parts/[name]-[hash]",
  assetNames: "fonts/[name]",
  loader: { ".woff2": "file" },
  plugins: [onlyWoff2],
  metafile: true,
  logLevel: "warning",
};

/** What the page imports first is fetched at once, not one after the other. */
async function preload(outputs) {
  const page = Object.keys(outputs).find((name) => outputs[name].entryPoint === "src/page/studio_page.ts");
  const wanted = new Set([page]);
  for (const name of wanted) {
    for (const { path, kind } of outputs[name].imports) if (kind === "import-statement") wanted.add(path);
  }
  const links = [...wanted].map((name) => `    <link rel="modulepreload" href="${relative(out, resolve(here, name))}" />\n`).sort();
  const text = await readFile(join(here, "index.html"), "utf8");
  await writeFile(join(out, "index.html"), text.replace(/(?= {4}<script)/, links.join("")));
}

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await cp(join(here, "index.html"), join(out, "index.html"));
if (process.argv.includes("--watch")) {
  await (await context(options)).watch();
} else {
  const { metafile } = await build(options);
  await preload(metafile.outputs);
  await writeFile(join(out, "notices.txt"), await notices(here, metafile));
}
