/** What swagger-ui-bundle.js puts into the page. */
declare function SwaggerUIBundle(options: object): void;

/** Keys belong in programs: the page only shows, and asks for none. */
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
