import { defaultPayloadConverter, type Payload } from '@temporalio/common';

interface PayloadList {
  payloads?: (Payload | null)[] | null;
}

/** The first value of a list in Temporal's messages: our arguments, results and details have only one. */
export function first<T>(list: PayloadList | null | undefined): T | undefined {
  const payload = list?.payloads?.[0];
  return payload ? defaultPayloadConverter.fromPayload<T>(payload) : undefined;
}
