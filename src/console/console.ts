import { buildPage } from '../bundle/bundle.ts';

const file = (name: string) => new URL(`./browser/${name}`, import.meta.url);

/** Builds the console's single page. Every address and every person gets the same one. */
export const buildConsole = () =>
  buildPage(file('index.html'), '/console/', {
    main: file('main.tsx'),
    style: file('styles/style.css'),
  });
