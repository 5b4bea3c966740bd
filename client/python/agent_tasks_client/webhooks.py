"""Verifies events and callbacks, which are signed as Standard Webhooks describes."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from . import models

# Seconds that the clocks may differ and that a delivery may take.
TOLERANCE_S = 5 * 60

OrganizationEvent = (
    models.TaskCompletedEvent
    | models.TaskFailedEvent
    | models.TaskQuestionEvent
    | models.BatchWaitingEvent
    | models.BatchCompletedEvent
    | models.PagePublishedEvent
    | models.ReviewRequestedEvent
    | models.ReviewCompletedEvent
    | models.PullRequestWaitingEvent
)
Callback = models.SucceededCallback | models.FailedCallback | models.BatchCallback


class InvalidWebhookError(ValueError):
    """The request is not from the service, is too old, or was changed. Respond with a 401."""


def verify_webhook(
    body: bytes, headers: Mapping[str, str], secrets: str | Sequence[str]
) -> OrganizationEvent | Callback | dict[str, Any]:
    """Verifies an event of a webhook endpoint, or a callback, and reads its body.

    The header `webhook-id` identifies the event: you may get it twice.

    Args:
        body: the raw body: a parsed and serialized body would have another signature
        headers: the header fields of the request
        secrets: the secret `whsec_…` of the endpoint, or the callback secret of your organization.
            While you replace a secret, the old and the new one.

    Returns:
        The event or the callback. A `dict` for a type that this version does not know, such as
        `endpoint.test`.

    Raises:
        InvalidWebhookError: No signature is valid.
    """
    keys = [_decode_secret(secret) for secret in _list_secrets(secrets)]
    fields = {name.lower(): value for name, value in headers.items()}
    webhook_id, timestamp, signature = (
        fields.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
    )
    _check_timestamp(timestamp)
    message = f"{webhook_id}.{timestamp}.".encode(errors="replace") + body
    digests = [hmac.digest(key, message, hashlib.sha256) for key in keys]
    expected = [b"v1," + base64.b64encode(digest) for digest in digests]
    received = [each.encode(errors="replace") for each in signature.split(" ")]
    # compares all of them, so that the time does not tell which one is valid
    matches = [hmac.compare_digest(one, other) for one in expected for other in received]
    if not any(matches):
        raise InvalidWebhookError("The request has no valid signature")
    return _read_payload(json.loads(body))


def _list_secrets(secrets: str | Sequence[str]) -> Sequence[str]:
    return [secrets] if isinstance(secrets, str) else secrets


def _decode_secret(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("The secret must be whsec_ followed by base64")
    return key


def _check_timestamp(timestamp: str) -> None:
    is_number = re.fullmatch(r"[0-9]{1,12}", timestamp) is not None
    if not is_number or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        raise InvalidWebhookError("The timestamp differs too much from the current time")


def _read_payload(payload: dict[str, Any]) -> OrganizationEvent | Callback | dict[str, Any]:
    if "type" not in payload:
        return _callback_model_of(payload).from_dict(payload)
    words = re.split(r"[._]", payload["type"])
    model = getattr(models, "".join(map(str.capitalize, words)) + "Event", None)
    return payload if model is None else model.from_dict(payload)


def _callback_model_of(payload: dict[str, Any]) -> type[Callback]:
    if "batchId" in payload:
        return models.BatchCallback
    return models.SucceededCallback if payload["status"] == "succeeded" else models.FailedCallback
