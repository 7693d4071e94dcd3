// Makes the tables of the site about the models that the core knows, with routes and sources.
import { cellsOf, routeText, sourcesOf, table } from '../../src/catalogue/model-rows.mjs';

const linksOf = (row) =>
  sourcesOf(row)
    .map(({ text, url, date }) => `[${text}](${url}) (${date})`)
    .join(', ');

function modelLine(row) {
  const { id, rules, limits, explicit, implicit, thinking, prices, served } = cellsOf(row);
  const cells = [`\`${id}\``, rules, limits, explicit, implicit, thinking, prices, served];
  return `| ${cells.join(' | ')} |`;
}

function sourceLine(row) {
  const note = row.note ? `. ${row.note}` : '';
  return `- \`${cellsOf(row).id}\` (checked ${row.checked}): ${linksOf(row)}${note}`;
}

/** What the page of models shows in the places that it names. */
export const modelTables = {
  models: () =>
    `| id | rules | limits | explicit | implicit | thinking | prices | served |
| --- | --- | --- | --- | --- | --- | --- | --- |
${table.models.map(modelLine).join('\n')}`,
  routes: () => table.routes.map((row) => `- ${routeText(row)}: ${linksOf(row)}`).join('\n'),
  sources: () => table.models.map(sourceLine).join('\n'),
};
