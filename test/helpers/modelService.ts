import { type Script, startModelServer } from './modelServer.ts';
import { type Service, startService } from './service.ts';

/** The language model of the shared service. */
export const scriptedModel = 'openai-compatible/scripted';

/** What the model does: the script of the test file that runs. */
let script: Script;
let shared: Service | undefined;

/**
 * A service whose language model follows a script, for suites that use only their own sites, or
 * publish nothing. The test files of one process share it: each brings its own script.
 */
export async function sharedModelService(ofThisFile: Script): Promise<Service> {
  script = ofThisFile;
  if (!shared || shared.launched.hasEnded()) shared = await startModelService();
  return shared;
}

async function startModelService(): Promise<Service> {
  const model = await startModelServer((asked) => script(asked));
  const service = await startService({
    isShared: true,
    env: { AGENT_MODEL: scriptedModel, AGENT_BASE_URL: model.url('openai-compatible') },
  });
  void service.launched.ended.then(() => model.close());
  return service;
}
