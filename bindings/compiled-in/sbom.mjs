// Writes the software bill of materials of the package in CycloneDX. It has no serial number and no time, so that equal
// packages have equal files.

const refOf = ({ name, version }) => `${name}@${version}`;

const componentOf = ({ type, name, version, purl, license, copyright, homepage, where }) => ({
  type,
  'bom-ref': refOf({ name, version }),
  name,
  version,
  licenses: [{ expression: license }],
  copyright: copyright.join('\n'),
  purl,
  externalReferences: [{ type: 'website', url: homepage }],
  properties: [{ name: 'prompt-strata:where', value: where }],
});

/**
 * Returns the bill of materials.
 * @param {import('./components.mjs').Component[]} components
 * @param {{ name: string, version: string, description: string, license: string }} project of package.json
 */
export function billOfMaterials(components, { name, version, description, license }) {
  const ref = refOf({ name, version });
  const root = {
    ...{ type: 'library', 'bom-ref': ref, name, version, description },
    ...{ licenses: [{ license: { id: license } }], purl: `pkg:npm/${name}@${version}` },
  };
  const dependencies = [
    { ref, dependsOn: components.map(refOf) },
    ...components.map((component) => ({ ref: refOf(component) })),
  ];
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    metadata: { lifecycles: [{ phase: 'build' }], component: root },
    components: components.map(componentOf),
    dependencies,
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}
