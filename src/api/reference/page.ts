/** The script of `GET /docs`, which shows the API reference. It runs in the browser. */

/** The global function that swagger-ui-bundle.js defines. */
declare function SwaggerUIBundle(options: object): void;

/**
 * Hides the buttons that ask for API keys. Keys belong in programs: this page is only for reading.
 */
const withoutKeys = {
  wrapComponents: { authorizeBtn: () => () => null, authorizeOperationBtn: () => () => null },
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
            updateSpec({ ...document, webhooks: document.components.pathItems }),
      },
    },
  },
};

SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  plugins: [withoutKeys, withWebhooks],
});

export {};
