// Takes long: a service of its own, whose metrics a real Prometheus reads.
import { expect } from 'chai';
import { temporaryFolder } from '../helpers/database.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { type ModelServer, startModelServer } from '../helpers/modelServer.ts';
import { needProgram } from '../helpers/programs.ts';
import {
  type Prometheus,
  readAlertGroups,
  readDashboard,
  startPrometheus,
} from '../helpers/prometheus.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';

const MODEL = 'openai-compatible/scripted';

describe('the dashboard and the alerts', function () {
  this.timeout(400_000);
  const folder = temporaryFolder();
  let service: Service;
  let model: ModelServer;
  let callbacks: HttpReceiver;
  let prometheus: Prometheus;

  before(async function () {
    needProgram(this, 'Prometheus');
    callbacks = await startHttpReceiver(() => 503);
    model = await startModelServer(() => ({
      calls: [{ name: 'finish', arguments: { summary: 'Nothing to do' } }],
      usage: { prompt_tokens: 120, completion_tokens: 7 },
    }));
    service = await startService({
      env: {
        METRICS_ADDRESS: '127.0.0.1:0',
        CALLBACK_ALLOW_PRIVATE: 'true',
        AGENT_MODEL: `rules,${MODEL}`,
        AGENT_BASE_URL: model.url('openai-compatible'),
        AGENT_PRICES: `${MODEL}=1/0.5/10`,
      },
    });
    const [, target] = /Metrics at http:\/\/([^/]+)\//.exec(service.launched.stderr)!;
    prometheus = await startPrometheus(folder.path, target!);
  });
  after(async () => {
    await prometheus?.stop();
    await endServices();
    await Promise.all([model?.close(), callbacks?.close()]);
    removeTeamSites();
    folder.remove();
  });

  const queries = readDashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      name: `${title} (${legendFormat})`,
      expr: expr.replaceAll('$job', 'agent-tasks').replaceAll('$__rate_interval', '5m'),
    })),
  );

  /** What all panels show: published tasks, rows of a batch, a model, a callback, an error. */
  async function useService(number: number): Promise<void> {
    const callbackUrl = callbacks.url('/down');
    const cities = citiesBody([`Lisbon${number}`], { publish: true, callbackUrl });
    const published = await service.createTask(cities);
    const { templatePageSlug, items: rows } = citiesBody([`Porto${number}`]);
    const batch = await service.request('POST', '/api/v1/agent/batches', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ siteId: service.demo.siteId, templatePageSlug, rows }),
    });
    expect(batch.status, batch.text).to.equal(200);
    const asked = await service.createTask({ prompt: 'Look around', model: MODEL });
    await Promise.all([published, asked].map((taskId) => service.waitForTask(taskId)));
    await service.request('GET', '/api/v1/agent/tasks/unknown');
  }

  it('has panels whose queries all have values after some tasks', async () => {
    await useService(1);
    const readOnce = () => prometheus.query('agent_tasks_phase_seconds_count{phase="deploying"}');
    await until('the first reading', async () => (await readOnce()).length > 0);
    await useService(2);
    const missing = async () => {
      const results = await Promise.all(
        queries.map(async ({ name, expr }) => {
          const values = (await prometheus.query(expr)).map(({ value: [, value] }) =>
            Number(value),
          );
          return values.some((value) => Number.isFinite(value)) ? [] : [name];
        }),
      );
      return results.flat();
    };
    let names: string[] = [];
    await until('values of all panels', async () => {
      names = await missing();
      return names.length === 0;
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}: no values of ${names.join(', ')}`);
    });
    const value = async (expr: string) => Number((await prometheus.query(expr))[0]?.value[1]);
    expect(await value('sum(agent_tasks_deliveries_given_up_total{kind="callback"})')).to.be.above(
      0,
    );
    // 120 input tokens for 1 USD a million, and 7 output tokens for 10 USD, at each call
    const cost = 'sum(agent_tasks_model_cost_usd_total) / sum(agent_tasks_model_calls_total)';
    expect(await value(cost)).to.be.closeTo(0.000_19, 1e-9);
  });

  it('has alert rules that Prometheus evaluates, none of which fires for a service that works', async () => {
    const states = await prometheus.alertStates();
    const names = readAlertGroups().groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    expect([...states.keys()]).to.have.members(names);
    const firing = [...states].filter(([, state]) => state === 'firing').map(([name]) => name);
    expect(firing).to.deep.equal([]);
  });
});
