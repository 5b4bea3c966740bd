import { expect } from 'chai';
import { consoleRoutes } from '../../../src/api/routes/console.ts';
import { isScreen, nextScreenPath } from '../../../src/console/browser/screenPaths.ts';

describe("addresses of the console's screens", () => {
  const server = consoleRoutes({
    buildConsole: () => Promise.reject(new Error('nobody asks for it')),
    frameSources: () => [],
  });
  const paths = [
    '/',
    '/sign-in',
    '/sign-up',
    '/welcome',
    '/connect',
    '/invitations/a',
    '/callbacks',
    '/shared/7d0c',
    '/shared/%C3%A9',
    '/sites',
    '/sites/new',
    '/tasks',
    '/tasks/a,b',
    '/batches',
    '/batches/bg-1',
    '/settings',
    '/settings/keys',
    '/edit/bg-1/locations/lisbon',
    '/edit',
    '/docs',
    '/api/v1/sites',
    '/auth/ok',
    '/mcp',
    '/shared',
    '/invitations',
    '/sign-in/a',
    '/Sites',
    '/callbacks/a',
    '/sites/',
    '/welcomes',
    '/a/sites',
    '//sites',
  ];
  for (const path of paths)
    it(`are the same in the browser and on the server: ${path}`, () =>
      expect(isScreen(path)).to.equal(server.match(path, 'GET').pathAndMethod.length > 0));

  const here = 'http://localhost:3000';
  const wanted: Record<string, string> = {
    '/tasks?status=failed': '/tasks?status=failed',
    '/edit/bg-1/locations/lisbon': '/edit/bg-1/locations/lisbon',
    '/edit/bg-1/caf%C3%A9': '/edit/bg-1/caf%C3%A9',
    '': '/',
    'https://other.example/': '/',
    'http://localhost:3000/tasks': '/',
    '//localhost:3000/tasks': '/tasks',
    '//other.example/': '/',
    '/\\other.example/': '/',
    '/\t/other.example/': '/',
    '/.//other.example/': '/',
    'javascript:alert(1)': '/',
    '//': '/',
  };
  for (const [next, to] of Object.entries(wanted))
    it(`lead from sign-in to ${to} for ${JSON.stringify(next)}`, () =>
      expect(nextScreenPath(new URLSearchParams({ next }), here)).to.equal(to));

  it('lead from sign-in to the first screen if nothing else was requested', () =>
    expect(nextScreenPath(new URLSearchParams(), here)).to.equal('/'));
});
