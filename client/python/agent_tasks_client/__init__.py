"""Asks an Agent Tasks service to create and change pages of websites.

The operations of the API are in `agent_tasks_client.api`, a module for each, and their requests and
responses in `agent_tasks_client.models`. Both are generated from the service's OpenAPI document.
"""

from .batches import create_batch_from_csv
from .client import AuthenticatedClient, Client
from .errors import UnexpectedStatus
from .waiting import wait_for_batch, wait_for_task
from .webhooks import InvalidWebhookError, verify_webhook

__all__ = (
    "AuthenticatedClient",
    "Client",
    "InvalidWebhookError",
    "UnexpectedStatus",
    "create_batch_from_csv",
    "verify_webhook",
    "wait_for_batch",
    "wait_for_task",
)
