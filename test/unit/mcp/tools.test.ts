import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { definitionOf } from '../../../src/mcp/mcp.ts';
import { tools, toolsFor } from '../../../src/mcp/tools.ts';

const folder = new URL('definitions/', import.meta.url);
const fileOf = (name: string) => new URL(`${name}.json`, folder);
const all = [...tools.values()].map(({ tool }) => tool);
const ajv = formats.default(new Ajv2020({ strict: true, allowUnionTypes: true }));

/** The most characters of all definitions: every assistant reads them. */
const LONGEST = 40_000;

describe('tools of assistants', () => {
  for (const tool of all)
    it(`${tool.name} is defined as its snapshot says (delete the snapshot to make it again)`, () => {
      const definition = JSON.stringify(definitionOf(tool), undefined, 2);
      if (!existsSync(fileOf(tool.name)) && !process.env['CI'])
        writeFileSync(fileOf(tool.name), `${definition}\n`);
      expect(JSON.parse(definition)).to.deep.equal(
        JSON.parse(readFileSync(fileOf(tool.name), 'utf8')),
      );
    });

  it('have no snapshot of a tool that there is not', () => {
    const names = all.map(({ name }) => `${name}.json`);
    expect(readdirSync(folder)).to.have.members(names);
  });

  it('have schemas of objects that a strict reader understands', () => {
    for (const tool of all) {
      const { inputSchema, outputSchema } = definitionOf(tool);
      for (const schema of [inputSchema, outputSchema]) {
        expect(schema.type, tool.name).to.equal('object');
        expect(() => ajv.compile(schema), tool.name).to.not.throw();
      }
      expect(inputSchema, tool.name).to.have.property('additionalProperties', false);
      expect(outputSchema, tool.name).to.have.nested.property('properties.next');
    }
  });

  it('take an idempotency key where they change something', () => {
    for (const tool of all) {
      const { inputSchema, annotations } = definitionOf(tool);
      const { properties = {} } = inputSchema as { properties?: Record<string, unknown> };
      expect('idempotencyKey' in properties, tool.name).to.equal(!annotations.readOnlyHint);
    }
  });

  it('ask before they publish, and only where they publish', () => {
    for (const { name, input, isPublishing, question } of all) {
      const fields = Object.keys((input.describe() as { keys: object }).keys);
      const publishes = fields.includes('publish') || /^(publish|retry)_task$/.test(name);
      expect(fields.includes('confirm'), name).to.equal(publishes);
      expect([isPublishing, question].every(Boolean), name).to.equal(publishes);
    }
  });

  it('are listed by role: for viewers those that only read', () => {
    const changing = (tool: (typeof all)[number]) => !tool.hints.readOnlyHint;
    expect(toolsFor('viewer').filter(changing)).to.deep.equal([]);
    expect(toolsFor('viewer')).to.have.length(all.filter((tool) => !changing(tool)).length);
    for (const role of ['member', 'admin', 'owner'] as const)
      expect(toolsFor(role)).to.deep.equal(all);
  });

  it('take few of the tokens that an assistant can read', () => {
    const definitions = JSON.stringify(toolsFor('owner').map(definitionOf));
    expect(definitions.length).to.be.below(LONGEST);
  });
});
