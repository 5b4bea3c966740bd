import { Connection, type ConnectionOptions } from '@temporalio/client';
import { Writer } from 'protobufjs';

/** A run of a workflow. */
export interface Run {
  workflowId: string;
  runId: string;
}

const SERVICE = 'temporal.server.api.adminservice.v1.AdminService';

/**
 * Calls of the Temporal server's admin service, which `tdbg` uses too. The SDK has no types for it.
 * A server may refuse them, as Temporal Cloud does.
 */
export class AdminConnection extends Connection {
  private readonly call: ReturnType<typeof Connection.generateRPCImplementation>;

  constructor(options: ConnectionOptions) {
    const parts = AdminConnection.createCtorOptions(options);
    super(parts);
    const { interceptors, metadata } = parts.options;
    this.call = AdminConnection.generateRPCImplementation({
      ...parts,
      serviceName: SERVICE,
      staticMetadata: metadata,
      ...(interceptors && { interceptors }),
    });
  }

  /**
   * Deletes everything that the server has of a run, and its visibility entry, even if only that is
   * left.
   */
  async deleteRun(namespace: string, run: Run): Promise<void> {
    await this.send(
      'DeleteWorkflowExecution',
      Writer.create().uint32(10).string(namespace).uint32(18).bytes(bytesOf(run)),
    );
  }

  /** Makes the server repeat what follows from a run's state, such as its visibility entry. */
  async refreshRun(namespaceId: string, run: Run): Promise<void> {
    await this.send(
      'RefreshWorkflowTasks',
      Writer.create().uint32(18).bytes(bytesOf(run)).uint32(26).string(namespaceId),
    );
  }

  private send(name: string, request: Writer): Promise<void> {
    return new Promise((resolve, reject) => {
      const method = { name } as Parameters<typeof this.call>[0];
      this.call(method, request.finish(), (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** temporal.api.common.v1.WorkflowExecution */
const bytesOf = ({ workflowId, runId }: Run) =>
  Writer.create().uint32(10).string(workflowId).uint32(18).string(runId).finish();
