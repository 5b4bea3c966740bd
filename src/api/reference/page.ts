/** The global function that swagger-ui-bundle.js defines. */
declare function SwaggerUIBundle(options: object): void;

/**
 * Hides the buttons that ask for API keys. Keys belong in programs: this page is only for reading.
 */
const withoutKeys = {
  wrapComponents: { authorizeBtn: () => () => null, authorizeOperationBtn: () => () => null },
};

interface Document {
  webhooks: object;
  components: { pathItems: object };
}

async function showReference(): Promise<void> {
  const answer = await fetch('/api/v1/openapi.json');
  const document = (await answer.json()) as Document;
  SwaggerUIBundle({
    // Swagger UI shows no webhook that is a reference
    spec: { ...document, webhooks: document.components.pathItems },
    dom_id: '#reference',
    deepLinking: true,
    supportedSubmitMethods: [],
    validatorUrl: null,
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 3,
    plugins: [withoutKeys],
  });
}

void showReference();

export {};
