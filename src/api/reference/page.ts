/** The global function that swagger-ui-bundle.js defines. */
declare function SwaggerUIBundle(options: object): void;

/**
 * Hides the buttons that ask for API keys. Keys belong in programs: this page is only for reading.
 */
const withoutKeys = {
  wrapComponents: { authorizeBtn: () => () => null, authorizeOperationBtn: () => () => null },
};

SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  plugins: [withoutKeys],
});

export {};
