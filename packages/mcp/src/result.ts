import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ApiError, DeliveryError } from 'opt-in-delivery-sdk';

/** The result as JSON, or what the service refused as the error of the tool: the model can read and correct it. */
export async function toResult(call: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await call(), null, 2) }] };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: describe(error) }] };
  }
}

function describe(error: unknown): string {
  if (error instanceof ApiError) return `${error.status} ${error.reason}: ${error.message}`;
  if (error instanceof DeliveryError && error.idempotencyKey !== undefined)
    return `${error.message}. It may have been sent: repeat it with the idempotencyKey ${error.idempotencyKey}`;
  return error instanceof Error ? error.message : String(error);
}
