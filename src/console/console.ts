import { buildPage } from '../bundle/bundle.ts';

const browserFile = (name: string) => new URL(`./browser/${name}`, import.meta.url);

/**
 * Builds the console: one page with its scripts and styles, which the API serves for every path and
 * every person. Everything else happens in the browser (browser/app.tsx has an overview).
 */
export const buildConsole = () =>
  buildPage(browserFile('index.html'), '/console/', {
    main: browserFile('main.tsx'),
    style: browserFile('styles/style.css'),
  });
