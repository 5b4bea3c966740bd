import { expect } from 'chai';
import type { ModelTurn } from '../../../../../src/agents/shared/agentTypes.ts';
import {
  createTaskPictures,
  pictureType,
  unseenAltSentence,
} from '../../../../../src/agents/shared/site/taskPictures.ts';
import { createWorkspace } from '../../../../../src/agents/workspace.ts';
import type { Tree } from '../../../../../src/sites/git/repository.ts';
import { texts } from '../../../../helpers/texts.ts';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { withMode } from '../../model/tools/site.ts';

const gif = 'GIF89a-a-picture';
const image = (path: string) => ({ id: 's1.alt', file: path, path, alt: '' });
const pathsOf = (tree: Tree, paths: string[]) =>
  createTaskPictures(tree)
    .show(paths.map(image))
    .map(({ path }) => path);

describe('The pictures that a language model is shown', () => {
  it('are files of the site in formats of providers, each once', () => {
    const names = ['a.png', 'b.JPG', 'c.jpeg', 'd.gif', 'e.webp', 'f.svg', 'g.avif', 'h.html'];
    const tree = memoryTree(Object.fromEntries(names.map((name) => [name, gif])));
    const asked = [...names, 'a.png', 'gone.png', '', '../a.png', '/a.png', '__proto__'];
    expect(pathsOf(tree, asked)).to.deep.equal(['a.png', 'b.JPG', 'c.jpeg', 'd.gif', 'e.webp']);
  });

  it('are neither links to other files, nor empty or large files', () => {
    const tree = memoryTree({
      'a.png': gif,
      'link.png': '../../etc/passwd',
      'large.png': 'x'.repeat(1_000_001),
      'just.png': 'x'.repeat(1_000_000),
      'empty.png': '',
    });
    const paths = ['link.png', 'large.png', 'just.png', 'empty.png', 'a.png'];
    expect(pathsOf(withMode(tree, 'link.png', '120000'), paths)).to.deep.equal([
      'just.png',
      'a.png',
    ]);
  });

  it('are at most eight at a time, only new ones, and twenty per task', () => {
    const names = Array.from({ length: 30 }, (_, i) => `${i}.png`);
    const tree = memoryTree(Object.fromEntries(names.map((name) => [name, gif])));
    const pictures = createTaskPictures(tree);
    const counts = [1, 2, 3, 4].map(() => pictures.show(names.map(image)).length);
    expect(counts).to.deep.equal([8, 8, 4, 0]);
    expect([pictures.hasSeen('19.png'), pictures.hasSeen('20.png')]).to.deep.equal([true, false]);
    pictures.hide();
    expect(pictures.hasSeen('19.png')).to.equal(false);
  });

  it('have at most 8 MB together', () => {
    const names = Array.from({ length: 20 }, (_, i) => `${i}.png`);
    const large = 'x'.repeat(900_000);
    const pictures = createTaskPictures(
      memoryTree(Object.fromEntries(names.map((n) => [n, large]))),
    );
    const counts = [1, 2].map(() => pictures.show(names.map(image)).length);
    expect(counts).to.deep.equal([8, 0]);
  });

  const beginnings: [bytes: number[] | string, type: string | undefined][] = [
    [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'image/png'],
    [[0xff, 0xd8, 0xff, 0xe0], 'image/jpeg'],
    ['GIF87a…', 'image/gif'],
    ['GIF89a', 'image/gif'],
    ['RIFF\n\n\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\n\n\0\0WAVE', undefined],
    ['<svg xmlns="http://www.w3.org/2000/svg">', undefined],
    ['<?php GIF89a', undefined],
    ['', undefined],
  ];
  for (const [bytes, type] of beginnings)
    it(`are recognized by their first bytes: ${JSON.stringify(bytes)}`, () => {
      const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes);
      expect(pictureType(buffer)).to.equal(type);
    });
});

const pageOf = (body: string) =>
  `<!doctype html>\n<html lang="en"><head><title>A</title></head><body><h1>A</h1>\n${body}\n</body></html>\n`;
const files = {
  'index.html': pageOf('<p><img src="/img/a.gif" alt="Old"></p>\n<p><img src="/b.svg" alt=""></p>'),
  'img/a.gif': gif,
  'b.svg': '<svg/>',
};

/** The notes of a model that reads the page, writes alternative texts, and finishes. */
async function notesOf(
  alts: [from: string, to: string][],
  { request = '', hidden = false, isRead = true } = {},
) {
  const workspace = createWorkspace({
    tree: memoryTree(files),
    pages,
    texts,
    agent: 'model',
    request,
  });
  const turn = (name: string, args: object): ModelTurn => ({
    text: '',
    toolCalls: [{ id: name, name, arguments: { ...args } }],
    ...(hidden && name !== 'read_page' && { isWithoutPictures: true }),
  });
  const read = isRead ? await workspace.runTurn(turn('read_page', { slug: '/' })) : undefined;
  const edits = alts.map(([from, to]) => ({ old: from, new: to }));
  const edited = await workspace.runTurn(turn('edit_html', { slug: '/', edits }));
  expect(edited.results[0]!.isError, edited.results[0]!.content).to.equal(false);
  await workspace.runTurn(turn('finish', { summary: 'Done' }));
  const notes = (await workspace.notes()).filter(({ kind }) => kind === 'invented');
  return { pictures: read?.results[0]!.pictures, texts: notes.map(({ text }) => text) };
}

const photo: [string, string] = ['alt="Old"', 'alt="A baker at the oven"'];
const drawing: [string, string] = ['src="/b.svg" alt=""', 'src="/b.svg" alt="A loaf"'];

describe('The notes on alternative texts', () => {
  it('do not exist if the model saw the pictures', async () => {
    const { pictures, texts } = await notesOf([photo]);
    const id = memoryTree(files).entries.get('img/a.gif')!.id;
    expect(pictures).to.deep.equal([{ path: 'img/a.gif', id }]);
    expect(texts).to.deep.equal([]);
  });

  it('name the pictures that the model never saw', async () => {
    expect((await notesOf([photo], { isRead: false })).texts).to.deep.equal([
      `/: ${unseenAltSentence(['A baker at the oven'])}`,
    ]);
    expect((await notesOf([photo, drawing])).texts).to.deep.equal([
      `/: ${unseenAltSentence(['A loaf'])}`,
    ]);
  });

  it('name all pictures if the provider accepted none', async () =>
    expect((await notesOf([photo, drawing], { hidden: true })).texts).to.deep.equal([
      `/: ${unseenAltSentence(['A baker at the oven', 'A loaf'])}`,
    ]));

  it('do not name texts that the customer wrote', async () => {
    const request = 'Set the alt text of our photo to "A baker at the oven"';
    expect((await notesOf([photo], { hidden: true, request })).texts).to.deep.equal([]);
  });

  it('do not exist if no alternative text changed', async () =>
    expect((await notesOf([['>A</h1>', '>B</h1>']], { hidden: true })).texts).to.deep.equal([]));
});
