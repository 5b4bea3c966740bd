import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createModelAssignment } from '../../../src/agents/modelAssignment.ts';
import * as mcp from '../../../src/mcp/mcp.ts';
import { promptReaderWords } from '../../../src/mcp/tools/changeSite.ts';
import type { AssistantTool } from '../../../src/mcp/tool.ts';
import { tools, toolsFor } from '../../../src/mcp/toolsByRole.ts';
import { budget } from '../../helpers/api.ts';

const folder = new URL('definitions/', import.meta.url);
const fileOf = (name: string) => new URL(`${name}.json`, folder);
const all = [...tools.values()].map(({ tool }) => tool);
const ajv = formats.default(new Ajv2020({ strict: true, allowUnionTypes: true }));

/** The tools of a service whose agent is the rules, or a language model. */
const assigned = (model?: string) =>
  ({ assign: createModelAssignment({ models: model ? [model] : [], budget }) }) as Parameters<
    typeof mcp.toolDefinition
  >[1];
const definitionOf = (tool: AssistantTool, parts = assigned()) => mcp.toolDefinition(tool, parts);

/** The most characters that a model reads of all tools: their names, descriptions and arguments. */
const LONGEST = 37_100;
/** The most characters of all definitions, with the answers that only programs read. */
const LONGEST_IN_ALL = 68_000;

describe('tools of assistants', () => {
  for (const tool of all)
    it(`${tool.name} are defined as in their snapshot (delete the snapshot to create it again)`, () => {
      const definition = JSON.stringify(definitionOf(tool), undefined, 2);
      if (!existsSync(fileOf(tool.name)) && !process.env['CI'])
        writeFileSync(fileOf(tool.name), `${definition}\n`);
      expect(JSON.parse(definition)).to.deep.equal(
        JSON.parse(readFileSync(fileOf(tool.name), 'utf8')),
      );
    });

  it('have no snapshot of a missing tool', () => {
    const names = all.map(({ name }) => `${name}.json`);
    expect(readdirSync(folder)).to.have.members(names);
  });

  it('have schemas of objects that a strict reader understands', () => {
    for (const tool of all) {
      const { inputSchema, outputSchema } = definitionOf(tool);
      for (const schema of outputSchema ? [inputSchema, outputSchema] : [inputSchema]) {
        expect(schema.type, tool.name).to.equal('object');
        expect(() => ajv.compile(schema), tool.name).to.not.throw();
      }
      expect(inputSchema, tool.name).to.have.property('additionalProperties', false);
      if (outputSchema) expect(outputSchema, tool.name).to.have.nested.property('properties.next');
    }
  });

  it('have no list of types and no null in their arguments, which some programs drop', () => {
    for (const tool of all) {
      const lists = schemasIn(definitionOf(tool).inputSchema).filter(
        ({ type, enum: values = [] }) => Array.isArray(type) || values.includes(null),
      );
      expect(lists, tool.name).to.deep.equal([]);
    }
    expect(
      schemasIn({ properties: { a: { items: [{ type: ['null', 'string'] }] } } }),
    ).to.deep.include({ type: ['null', 'string'] });
  });

  it('accept null for each optional argument', () => {
    for (const tool of all) {
      const { properties, required = [] } = definitionOf(tool).inputSchema as unknown as {
        properties: object;
        required?: string[];
      };
      const optional = Object.keys(properties).filter((name) => !required.includes(name));
      for (const name of optional)
        expect(tool.input.extract(name).validate(null).error, `${tool.name} ${name}`).to.equal(
          undefined,
        );
    }
  });

  it('say who reads the text of change_site: the rules with their wordings, or a language model', () => {
    const { tool } = tools.get('change_site')!;
    const rules = definitionOf(tool).description;
    expect(rules)
      .to.include(promptReaderWords(undefined))
      .and.match(/\btry_prompt\b/);
    const model = definitionOf(tool, assigned('anthropic/claude-sonnet-4-5')).description;
    expect(model)
      .to.include(promptReaderWords('anthropic/claude-sonnet-4-5'))
      .and.match(/\banthropic\/claude-sonnet-4-5\b/);
  });

  it('accept an idempotency key if they start work', () => {
    for (const tool of all) {
      const { inputSchema } = definitionOf(tool);
      const { properties = {} } = inputSchema as { properties?: Record<string, unknown> };
      // the second call of these finds nothing to do
      const isRepeatable = [
        'approve_rows',
        'drop_notes',
        'publish_batch',
        'retry_rows',
        'undo_version',
      ].includes(tool.name);
      expect('idempotencyKey' in properties, tool.name).to.equal(
        tool.starts === true && !isRepeatable,
      );
    }
  });

  it('ask before they publish, and only then', () => {
    for (const { name, input, isPublishing, question } of all) {
      const fields = Object.keys((input.describe() as { keys: object }).keys);
      const publishes =
        fields.includes('publish') ||
        /^(publish_task|retry_task|restore_deployment|publish_batch|retry_rows)$/.test(name);
      expect(fields.includes('confirm'), name).to.equal(publishes);
      expect([isPublishing, question].every(Boolean), name).to.equal(publishes);
    }
  });

  it('are listed by role: viewers get the read-only ones for shared pages', () => {
    const names = toolsFor('viewer').map(({ name }) => name);
    expect(names).to.deep.equal(['list_shares', 'get_share']);
    for (const { name, hints } of toolsFor('viewer'))
      expect(hints.readOnlyHint, name).to.equal(true);
    for (const role of ['member', 'admin', 'owner'] as const)
      expect(toolsFor(role)).to.deep.equal(all);
  });

  it('use few of the tokens that an assistant can read', () => {
    const definitions = toolsFor('owner').map((tool) => definitionOf(tool));
    const read = definitions.map(({ name, description, inputSchema }) =>
      JSON.stringify({ name, description, inputSchema }),
    );
    expect(read.join('').length).to.be.below(LONGEST);
    expect(JSON.stringify(definitions).length).to.be.below(LONGEST_IN_ALL);
  });
});

interface SchemaPart {
  type?: unknown;
  enum?: unknown[];
}

/** All objects in a JSON Schema, nested ones too. */
const schemasIn = (json: unknown): SchemaPart[] =>
  typeof json === 'object' && json !== null
    ? [json, ...Object.values(json).flatMap(schemasIn)]
    : [];
