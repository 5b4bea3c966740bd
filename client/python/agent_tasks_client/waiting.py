"""Waits for the end of tasks and batches, also while the service restarts."""

import json
import math
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import httpx

from .api.batches import get_batch
from .api.tasks import get_task
from .client import AuthenticatedClient
from .errors import UnexpectedStatus
from .models import Batch, BatchStatus, CompletedTask, FailedTask, RunningTask
from .types import Response

# Seconds that the service may wait for the end of a task before it responds.
WAIT_S = 30
PAUSE_S = 2
# A response within this time did not wait, e.g. because the service is stopping.
SHORT_S = 0.5
# Seconds that the service may be unavailable.
OUTAGE_S = 60
TEMPORARY_STATUSES = {408, 429, 502, 503, 504}


def wait_for_task(
    client: AuthenticatedClient, task_id: str, *, timeout: float | None = None
) -> CompletedTask | FailedTask:
    """Waits for the end of a task. A failed task is not an error: check its `status`.

    Args:
        client: the connection to the service
        task_id: the task
        timeout: the time limit in seconds. Default: as long as the task runs.

    Raises:
        TimeoutError: The task is still running after the time limit. It continues to run.
        UnexpectedStatus: The service rejected the request, or is unavailable for a minute.
        httpx.TransportError: The service cannot be reached for a minute.
    """
    # a response must come within the client's own time limit
    longest = min(WAIT_S, (client.get_httpx_client().timeout.read or math.inf) / 2)

    def read_task(remaining: float) -> Response[Any]:
        seconds = max(1, math.floor(min(longest, remaining)))
        return get_task.sync_detailed(task_id, client=client, prefer=f"wait={seconds}")

    return _read_until_ended(
        task_id, read_task, lambda task: isinstance(task, RunningTask), timeout
    )


def wait_for_batch(
    client: AuthenticatedClient, batch_id: str, *, timeout: float | None = None
) -> Batch:
    """Waits until a batch no longer runs: it has ended, is paused, or waits for an approval.

    A failed batch is not an error: check its `status`.

    Args:
        client: the connection to the service
        batch_id: the batch
        timeout: the time limit in seconds. Default: as long as the batch runs.

    Raises:
        TimeoutError: The batch is still running after the time limit. It continues to run.
        UnexpectedStatus: The service rejected the request, or is unavailable for a minute.
        httpx.TransportError: The service cannot be reached for a minute.
    """
    return _read_until_ended(
        batch_id,
        lambda _: get_batch.sync_detailed(batch_id, client=client),
        lambda batch: batch.status == BatchStatus.RUNNING,
        timeout,
    )


def _read_until_ended(
    job_id: str,
    read: Callable[[float], Response[Any]],
    is_running: Callable[[Any], bool],
    timeout: float | None,
) -> Any:
    deadline = math.inf if timeout is None else time.monotonic() + timeout
    answered_at = time.monotonic()
    while True:
        began = time.monotonic()
        pause: float = PAUSE_S
        try:
            response = read(deadline - began)
        # a proxy responds with a page instead of JSON while the service restarts
        except (httpx.TransportError, json.JSONDecodeError):
            if time.monotonic() - answered_at > OUTAGE_S:
                raise
        else:
            if response.status_code == HTTPStatus.OK:
                if not is_running(response.parsed):
                    return response.parsed
                answered_at = time.monotonic()
                has_waited = "Preference-Applied" in response.headers
                if has_waited and answered_at - began > SHORT_S:
                    pause = 0
            else:
                is_temporary = response.status_code in TEMPORARY_STATUSES
                if not is_temporary or time.monotonic() - answered_at > OUTAGE_S:
                    raise UnexpectedStatus(response.status_code, response.content)
                pause = _read_retry_after(response)
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise TimeoutError(f"{job_id} is still running after {timeout} s")
        time.sleep(min(pause, remaining))


def _read_retry_after(response: Response[Any]) -> float:
    seconds = response.headers.get("Retry-After", "")
    return int(seconds) if seconds.isascii() and seconds.isdigit() else PAUSE_S
