/** Names of files below `/console/`. */
export interface PageFiles {
  script: string;
  style: string;
  /** Scripts that `script` imports. */
  early: string[];
}

const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>" +
  "<rect width='24' height='24' rx='6' fill='%233b54d6'/>" +
  "<path d='M7 6h10v3H7zM7 11h6v7H7zM15 11h2v7h-2z' fill='white'/></svg>";

/** The console's one page: the same for every address and everyone. */
export const pageOf = ({ script, style, early }: PageFiles) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Console</title>
    <link rel="icon" href="${icon}" />
    <link rel="stylesheet" href="/console/${style}" />
    <script type="module" src="/console/${script}"></script>
${early.map((name) => `    <link rel="modulepreload" href="/console/${name}" />\n`).join('')}  </head>
  <body>
    <div id="app"></div>
    <noscript>The console needs JavaScript. Everything in it can be done over the API: <a href="/docs">reference</a>.</noscript>
  </body>
</html>
`;
