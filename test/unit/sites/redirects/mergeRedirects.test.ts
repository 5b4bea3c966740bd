import { expect } from 'chai';
import { mergeRedirects } from '../../../../src/sites/redirects/mergeRedirects.ts';

describe('mergeRedirects(path, { before, task, production })', () => {
  const merge = (before: string, task: string, production: string) =>
    mergeRedirects('_redirects', { before, task, production });

  const cases: [string, [string, string, string], string | null][] = [
    ['two new files', ['', '/a /b 301\n', '/c /d 301\n'], '/c /d 301\n/a /b 301\n'],
    ['the same line', ['', '/a /b 301\n', '/a /b 301\n'], '/a /b 301\n'],
    [
      'lines at one place',
      ['# x\n/* / 200\n', '/a /b 301\n# x\n/* / 200\n', '/c /d 301\n# x\n/* / 200\n'],
      '/c /d 301\n/a /b 301\n# x\n/* / 200\n',
    ],
    [
      'a line that the task took out',
      ['/a /b\n/c /d\n', '/c /d\n', '/a /b\n/c /d\n/e /f\n'],
      '/c /d\n/e /f\n',
    ],
    [
      'a line that the task pointed on',
      ['/old /a 302\n', '/old /b 302\n/a /b 301\n', '/old /a 302\n# y\n'],
      '/old /b 302\n# y\n/a /b 301\n',
    ],
    [
      "others' redirect to what the task moved",
      ['', '/a /b 301\n', '/x /a 301\n'],
      '/x /b 301\n/a /b 301\n',
    ],
    [
      "the task's redirect to what others moved",
      ['', '/x /a 301\n', '/a /b 301\n'],
      '/a /b 301\n/x /b 301\n',
    ],
    [
      'a hidden redirect that the task replaced',
      ['/a /z 301\n', '/a /b 301\n', '/a /z 301\n/c /d\n'],
      '/c /d\n/a /b 301\n',
    ],
    [
      'a move that the task took back',
      ['/a /b 301\n', '/b /a 301\n', '/a /b 301\n/c /d\n'],
      '/c /d\n/b /a 301\n',
    ],
    [
      'a move over two addresses that the task took back',
      ['/a /c 301\n/b /c 301\n', '/b /a 301\n/c /a 301\n', '/a /c 301\n/b /c 301\n'],
      '/b /a 301\n/c /a 301\n',
    ],
    ['one address to two', ['', '/a /b 301\n', '/a /c 301\n'], null],
    ['a circle', ['', '/a /b 301\n', '/b /a 301\n'], null],
    ['what agents never write', ['', '/a https://x.example/ 301\n', '/c /d\n'], null],
    ['a comment', ['', '# x\n', '/c /d\n'], null],
    ['a placeholder', ['', '/a/* /b 301\n', '/c /d\n'], null],
  ];
  for (const [title, versions, after] of cases)
    it(`${title}: ${after === null ? 'a conflict' : 'both'}`, () => {
      expect(merge(...versions)).to.equal(after);
    });
});
