import { AgentTasks } from 'agent-tasks-client';

const { BASE_URL: baseUrl, API_KEY: apiKey, TASK_ID: taskId } = process.env;
const { tasks } = new AgentTasks({ baseUrl, apiKey });
for await (const { event, data } of tasks.events(taskId)) console.log(event, JSON.stringify(data));
