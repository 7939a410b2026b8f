// Writes core/internal/source/regex/unicode.txt: what regular expressions know of Unicode beyond Go's own tables. It
// reads npm packages, of which the first is of the version of Unicode that Go has (unicode.Version):
//
//	cd "$(mktemp -d)" && npm install @unicode/unicode-15.0.0 unicode-property-aliases unicode-property-value-aliases
//	node …/tests/data/unicode_tables.mjs node_modules > …/core/internal/source/regex/unicode.txt
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const modules = resolve(process.argv[2]);
const folder = `${modules}/@unicode/unicode-15.0.0`;
const version = JSON.parse(readFileSync(`${folder}/package.json`)).name.replace(/.*-/, '');
const propertyAliases = (await import(`${modules}/unicode-property-aliases/index.mjs`)).default;
const valueAliases = (await import(`${modules}/unicode-property-value-aliases/index.mjs`)).default;

const hex = (n) => n.toString(16).toUpperCase();

// Ranges of a property of the package, "first-last" or a single character.
async function ranges(path) {
  const all = (await import(`${folder}/${path}/ranges.mjs`)).default;
  return all.map(({ begin, end }) => (end - 1 > begin ? `${hex(begin)}-${hex(end - 1)}` : hex(begin))).join(' ');
}

// A name, and the short ones that a map gives for it.
const named = (name, aliases) => [name, ...[...aliases].filter(([, long]) => long === name).map(([a]) => a)]
  .filter((alias, i, all) => all.indexOf(alias) === i).join(' ');

// Properties that are not in ECMA-262's list of those that a pattern may name.
const unlisted = /^(Any|ASCII|Assigned|Changes_When_.*|Composition_Exclusion|Expands_On_.*|Full_.*|Grapheme_Link|Other_.*)$/;

console.log('# Made by tests/data/unicode_tables.mjs from the Unicode Character Database.');
console.log('# A line is a kind, names, and characters; those of scripts themselves are in tables of Go.');
console.log(`version: ${version}`);
for (const name of readdirSync(`${folder}/Binary_Property`)) {
  if (unlisted.test(name)) continue;
  console.log(`property ${named(name, propertyAliases)}: ${await ranges(`Binary_Property/${name}`)}`);
}
for (const name of readdirSync(`${folder}/Script`)) {
  if (name === 'Unknown') continue;
  const names = named(name, valueAliases.get('Script'));
  console.log(`script ${names}:`);
  const used = await ranges(`Script_Extensions/${name}`);
  if (used !== (await ranges(`Script/${name}`))) console.log(`used-with ${names}: ${used}`);
}
