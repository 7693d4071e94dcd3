// Writes the notices of the works that are compiled into the package: THIRD-PARTY-NOTICES.txt.
import { licenseText } from './components.mjs';

const rule = '-'.repeat(80);

const entry = ({ name, version, homepage, where, copyright, license, text }) =>
  [
    `${name} ${version}`,
    homepage,
    `Contained in: ${where}.`,
    `License: ${license}${license === text ? '' : ` (the text "${text}" below)`}`,
    ...copyright,
  ].join('\n');

/**
 * Returns the notices, and each license once.
 * @param {import('./components.mjs').Component[]} components
 */
export function thirdPartyNotices(components) {
  const texts = [...new Set(components.map(({ text }) => text))].sort();
  const intro =
    'prompt-strata contains parts of these works. Their licenses follow below. prompt-strata itself has the license\n' +
    'in the file LICENSE.';
  return [
    intro,
    ...components.map(entry),
    ...texts.map((text) => `${rule}\n${text}\n${rule}\n\n${licenseText(text)}`),
    '',
  ].join('\n\n');
}
