// Takes long: a service of its own, since the shared one serves no metrics.
import { expect } from 'chai';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { until } from '../helpers/until.ts';

describe('the metrics of a service', function () {
  this.timeout(300_000);
  let service: Service;
  let url: string;
  before(async () => {
    service = await startService({
      env: { METRICS_ADDRESS: '127.0.0.1:0', RATE_LIMIT_CREATE_PER_MINUTE: '1' },
    });
    [, url] = /Metrics at (\S+)/.exec(service.launched.stderr) as unknown as [string, string];
  });
  after(function () {
    return endServices(this.currentTest);
  });

  it('are served at one URL: what tasks did, and what the SDK counts', async () => {
    const taskId = await service.createTask({ prompt: 'Make it nicer, whatever that means' });
    expect((await service.waitForTask(taskId)).status).to.equal('failed');
    expect((await service.postTask({ prompt: 'x' })).status).to.equal(429);
    const read = async () => await (await fetch(url)).text();
    const text = await until('the end of the task', async () => {
      const now = await read();
      return /^agent_tasks_ended_total\{.*\} 1$/m.test(now) && now;
    });
    expect(text).to.include('agent_tasks_ended_total{type="prompt",outcome="input"} 1\n');
    expect(text).to.include('agent_tasks_refused_requests_total{code="TOO_MANY_REQUESTS"} 1\n');
    for (const start of [
      'agent_tasks_phase_seconds_count{type="prompt",phase="reading"} 1',
      'agent_tasks_step_delay_seconds_count{queue="agent-tasks-sites",where="queue"} ',
      'agent_tasks_git_commands_total{command="fetch"} ',
      'temporal_num_pollers{',
      'temporal_activity_schedule_to_start_latency_seconds_bucket{',
      'temporal_workflow_failed_total{',
      'nodejs_eventloop_lag_max_seconds ',
    ])
      expect(text).to.include(`\n${start}`);
    for (const id of [taskId, service.demo.siteId, service.demo.organizationId])
      expect(text).to.not.include(id);
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(new Set(names).size).to.equal(names.length);
  });
});
