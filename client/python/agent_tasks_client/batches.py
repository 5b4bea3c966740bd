"""Creates batches from CSV files."""

import os
import uuid
from typing import Any

from .api.batches import create_batch
from .client import AuthenticatedClient
from .errors import UnexpectedStatus
from .models import BatchCreated
from .types import File


def create_batch_from_csv(
    client: AuthenticatedClient,
    path: str | os.PathLike[str],
    *,
    idempotency_key: str | None = None,
    **options: Any,
) -> BatchCreated:
    """Creates a page for each row of a CSV file.

    The file is sent as it is: the service finds out its encoding and its delimiter.

    Args:
        client: the connection to the service
        path: the file
        idempotency_key: A second call with the same key, file and options returns the first batch.
            Default: a new key for each call.
        **options: the other parameters of `api.batches.create_batch`, such as `site_id`

    Raises:
        UnexpectedStatus: The service rejected the request.
    """
    with open(path, "rb") as file:
        response = create_batch.sync_detailed(
            client=client,
            body=File(payload=file, mime_type="text/csv"),
            idempotency_key=idempotency_key or str(uuid.uuid4()),
            **options,
        )
    if not isinstance(response.parsed, BatchCreated):
        raise UnexpectedStatus(response.status_code, response.content)
    return response.parsed
