/** The script of `GET /docs`, which shows the API reference. It runs in the browser. */

/** The global function that swagger-ui-bundle.js defines. */
declare function SwaggerUIBundle(options: object): void;

/** The parts of Swagger UI's copy of React that this page uses. */
interface SwaggerSystem {
  React: {
    createElement(type: unknown, properties: object | null, ...children: unknown[]): unknown;
  };
}

/** Puts an element around a part of Swagger UI, below a heading if one is given. */
const wrapPart =
  (tag: string, label: string, heading?: string) =>
  (part: unknown, { React }: SwaggerSystem) =>
  (properties: object) =>
    React.createElement(
      tag,
      { 'aria-label': label },
      heading && React.createElement('h2', { className: 'wrapper' }, heading),
      React.createElement(part, properties),
    );

/**
 * What Swagger UI shows differently here, so that screen readers can follow it. An operation's path
 * is no link, because the button around it opens the operation, and a button can't contain a link.
 * There is one server, which is this one, so there is no server to choose.
 */
const withAccessibleParts = {
  wrapComponents: {
    DeepLink:
      (_: unknown, { React }: SwaggerSystem) =>
      ({ text }: { text: unknown }) =>
        React.createElement('span', null, text),
    ServersContainer: () => () => null,
    InfoContainer: wrapPart('section', 'About this API'),
    AuthorizeBtnContainer: wrapPart('section', 'API key'),
    operations: wrapPart('section', 'Operations', 'Operations'),
  },
};

interface ReferencedDocument {
  components: { pathItems: object };
}

/** Replaces the references to webhooks by the webhooks, because Swagger UI does not show them. */
const withWebhooks = {
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec:
          (updateSpec: (document: object) => unknown) => (document: ReferencedDocument) =>
            updateSpec({
              ...document,
              webhooks: document.components.pathItems,
              // this page's policy allows requests only to the server that it came from
              servers: [{ url: '/api/v1' }],
            }),
      },
    },
  },
};

/*
 * A key that somebody enters under "Authorize" is used by "Try it out" until the page is closed.
 * It is stored nowhere.
 */
SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 3,
  plugins: [withAccessibleParts, withWebhooks],
});

/** Attributes that Swagger UI's elements lack, so that screen readers can name them. */
const missingAttributes: [selector: string, attributes: Record<string, string>][] = [
  ['.examples-select-element', { 'aria-label': 'Example' }],
  ['.content-type', { 'aria-label': 'Media type' }],
  ['.body-param__text', { 'aria-label': 'Request body' }],
  ['.close-modal', { 'aria-label': 'Close' }],
  ['.modal-ux-header h3', { 'aria-level': '2', role: 'heading' }],
  ['.modal-ux h4', { 'aria-level': '3', role: 'heading' }],
  ['.auth-btn-wrapper [aria-label="Apply credentials"]', { 'aria-label': 'Authorize' }],
  ['.auth-btn-wrapper [aria-label="Remove authorization"]', { 'aria-label': 'Logout' }],
  ['table.responses-table[role]', { role: 'table' }],
  ['.microlight', { tabindex: '0' }],
];

/** Adds the attributes to what Swagger UI has just shown. */
function addMissingAttributes(): void {
  for (const [selector, attributes] of missingAttributes)
    for (const element of document.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes))
        if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

new MutationObserver(addMissingAttributes).observe(document.querySelector('#reference')!, {
  childList: true,
  subtree: true,
});

export {};
