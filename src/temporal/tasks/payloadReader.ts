import type { Client } from '@temporalio/client';
import type { Payload, SerializationContext } from '@temporalio/common';
import { decodeFromPayloadsAtIndex } from '../sdkInternals.ts';

interface PayloadList {
  payloads?: (Payload | null)[] | null;
}

/**
 * Decodes payloads that the SDK returns raw: in histories, and in the details of pending
 * activities. Uses the client's data converter with its codecs. Each list of payloads has at most
 * one value.
 * @param workflowId the workflow of the payloads: codecs may depend on it
 */
export function createPayloadReader({ options }: Client, workflowId: string) {
  const { namespace, loadedDataConverter } = options;
  const readPayload = <T>(
    payloadList: PayloadList | null | undefined,
    context: SerializationContext,
  ) =>
    decodeFromPayloadsAtIndex<T | undefined>(
      loadedDataConverter,
      0,
      payloadList?.payloads as Payload[] | undefined,
      context,
    );
  return {
    ofWorkflow: <T>(payloadList: PayloadList | null | undefined) =>
      readPayload<T>(payloadList, { type: 'workflow', namespace, workflowId }),
    ofActivity: <T>(activityId: string, payloadList: PayloadList | null | undefined) =>
      readPayload<T>(payloadList, {
        type: 'activity',
        namespace,
        workflowId,
        activityId,
        isLocal: false,
      }),
  };
}
