import { buildPage } from '../bundle/bundle.ts';

const browserFile = (name: string) => new URL(`./browser/${name}`, import.meta.url);

/** Builds the console's single page. Every address and every person gets the same one. */
export const buildConsole = () =>
  buildPage(browserFile('index.html'), '/console/', {
    main: browserFile('main.tsx'),
    style: browserFile('styles/style.css'),
  });
