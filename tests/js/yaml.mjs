// Reads YAML into plain values with Prettier's parser: scalars stay texts.
import { parsers } from 'prettier/plugins/yaml';

const scalars = ['plain', 'quoteDouble', 'quoteSingle', 'blockLiteral', 'blockFolded', 'alias'];

function entryOf({ children: [key, value] }) {
  return [valueOf(key.children[0]), valueOf(value?.children?.[0])];
}

function valueOf(node) {
  if (!node) return undefined;
  if (scalars.includes(node.type)) return node.value;
  if (node.type === 'sequence') return node.children.map(({ children: [item] }) => valueOf(item));
  if (node.type === 'flowSequence')
    return node.children.map((item) => valueOf(item.children?.[0] ?? item));
  if (node.type === 'mapping' || node.type === 'flowMapping')
    return Object.fromEntries(node.children.map(entryOf));
  throw new Error(`YAML: unexpected ${node.type}`);
}

/** Returns the value of a YAML document. */
export async function parseYaml(text) {
  const { children: documents } = await parsers.yaml.parse(text, {});
  const body = documents[0].children.find(({ type }) => type === 'documentBody');
  return valueOf(body.children[0]);
}
