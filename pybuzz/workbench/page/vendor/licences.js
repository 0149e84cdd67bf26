// Writes codemirror.licences.txt: the licence of every package of which something is in codemirror.js.
import { readFileSync, writeFileSync } from "node:fs";

const { inputs } = JSON.parse(readFileSync("node_modules/meta.json", "utf8"));
const packages = new Set(
  Object.keys(inputs).map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter(Boolean),
);
const chapters = [...packages].sort().map((name) => {
  const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  return `${name} ${version} (${license})\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`;
});
writeFileSync("codemirror.licences.txt", chapters.join(`\n${"-".repeat(80)}\n\n`));
