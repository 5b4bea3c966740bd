"""Uses the Python client at a running service. Prints what it returned, as JSON."""

import importlib
import json
import os
import pkgutil
import sys

import agent_tasks_client
from agent_tasks_client import (
    AuthenticatedClient,
    InvalidWebhookError,
    UnexpectedStatus,
    create_batch_from_csv,
    verify_webhook,
    wait_for_batch,
    wait_for_task,
)
from agent_tasks_client.api.batches import list_batch_rows
from agent_tasks_client.api.tasks import create_task
from agent_tasks_client.models import PromptTask

SITE_ID = os.environ.get("SITE_ID", "")


def connect():
    return AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"])


def import_all():
    modules = pkgutil.walk_packages(agent_tasks_client.__path__, "agent_tasks_client.")
    return len([importlib.import_module(module.name) for module in modules])


def run_task(prompt):
    client = connect()
    body = PromptTask(site_id=SITE_ID, prompt=prompt)
    task = wait_for_task(client, create_task.sync(client=client, body=body).task_id)
    try:
        wait_for_task(client, "bg-0000000000000000000000")
    except UnexpectedStatus as error:
        missing = error.status_code
    return {"task": task.to_dict(), "missing": missing}


def wait(task_id, timeout=None):
    try:
        task = wait_for_task(connect(), task_id, timeout=timeout and float(timeout))
        return {"status": task.status}
    except TimeoutError as error:
        return {"late": str(error)}
    except UnexpectedStatus as error:
        return {"refused": error.status_code}


def create_batch(path, key):
    client = connect()
    options = {"site_id": SITE_ID, "template_page_slug": "/locations/austin"}
    created, again = (
        create_batch_from_csv(client, path, idempotency_key=key, **options) for _ in range(2)
    )
    batch = wait_for_batch(client, created.batch_id)
    rows = list_batch_rows.sync(batch.batch_id, client=client).rows
    try:
        create_batch_from_csv(client, path, site_id=SITE_ID, canary=-1)
    except UnexpectedStatus as error:
        refused = error.status_code
    return {
        "batch": batch.to_dict(),
        "isSame": created == again,
        "paths": [row.target_page_slug for row in rows],
        "refused": refused,
    }


def verify():
    """Verifies each request of standard input: its body, its headers, and the secrets."""

    def verify_one(request):
        try:
            body = request["body"].encode()
            payload = verify_webhook(body, request["headers"], request["secrets"])
        except InvalidWebhookError as error:
            return {"error": str(error)}
        return {"model": type(payload).__name__}

    return [verify_one(request) for request in json.load(sys.stdin)]


commands = {
    "import": import_all,
    "task": run_task,
    "wait": wait,
    "batch": create_batch,
    "verify": verify,
}
print(json.dumps(commands[sys.argv[1]](*sys.argv[2:])))
