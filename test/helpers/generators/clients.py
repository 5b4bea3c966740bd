"""Uses both generated clients of Python against a service. Prints what they found, as JSON."""

import importlib
import json
import os
import pkgutil
import time

import openapi_client
import openapi_python
from openapi_python.api.lists_of_tasks import list_tasks
from openapi_python.api.tasks import create_task, get_task
from openapi_python.client import AuthenticatedClient
from openapi_python.models import CompletedTask, PromptTask

base_url, api_key = os.environ["BASE_URL"], os.environ["API_KEY"]
site_id, prompt = os.environ["SITE_ID"], os.environ["PROMPT"]
WAIT = "wait=50"
UNKNOWN_TASK = "bg-0000000000000000000000"


def list_until(task_id, read):
    """Follows the cursors to the end, again until the list has the task: it may lag a moment."""
    deadline = time.monotonic() + 60
    while True:
        every, cursor = read(None)
        while cursor is not None:
            some, cursor = read(cursor)
            every += some
        if task_id in every and len(every) > 1:
            return every
        if time.monotonic() > deadline:
            raise TimeoutError(f"{task_id} is not listed: {every}")
        time.sleep(0.2)


def use_openapi_python_client():
    client = AuthenticatedClient(base_url=base_url, token=api_key, timeout=60)
    body = PromptTask(site_id=site_id, prompt=prompt)
    task_id = create_task.sync(client=client, body=body).task_id
    view = get_task.sync(task_id, client=client, prefer=WAIT)
    assert isinstance(view, CompletedTask), view

    def read(cursor):
        filters = {} if cursor is None else {"cursor": cursor}
        part = list_tasks.sync(client=client, site_id=site_id, limit=1, **filters)
        return [task.task_id for task in part.tasks], part.next_cursor

    missing = get_task.sync_detailed(UNKNOWN_TASK, client=client)
    return {
        "taskId": task_id,
        "status": view.status,
        "modified": [page.slug for page in view.output.pages_modified],
        "listed": list_until(task_id, read),
        "missing": missing.status_code,
        "error": missing.parsed.error,
    }


def use_openapi_generator():
    configuration = openapi_client.Configuration(host=base_url, access_token=api_key)
    with openapi_client.ApiClient(configuration) as client:
        tasks = openapi_client.TasksApi(client)
        lists = openapi_client.ListsOfTasksApi(client)
        task = openapi_client.PromptTask(siteId=site_id, prompt=prompt)
        task_id = tasks.create_task(openapi_client.CreateTaskRequest(task)).task_id
        view = tasks.get_task(task_id, prefer=WAIT).actual_instance

        def read(cursor):
            part = lists.list_tasks(site_id=site_id, limit=1, cursor=cursor)
            return [task.task_id for task in part.tasks], part.next_cursor

        listed = list_until(task_id, read)
        try:
            tasks.get_task(UNKNOWN_TASK)
            missing, error = 200, ""
        except openapi_client.exceptions.NotFoundException as refused:
            missing, error = refused.status, refused.data.error
        return {
            "taskId": task_id,
            "status": view.status,
            "modified": [page.slug for page in view.output.pages_modified],
            "listed": listed,
            "missing": missing,
            "error": error,
        }


for package in (openapi_client, openapi_python):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)

results = {
    "openapi-python-client": use_openapi_python_client(),
    "openapi-generator": use_openapi_generator(),
}
print(json.dumps(results))
