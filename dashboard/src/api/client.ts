import createClient from 'openapi-fetch';

import { SERVICE_URL } from '../app/service-url';
import { expireSession, getSession } from '../app/session';
import { t } from '../texts/text';
import type { paths } from './schema';

/** An error response with the message of the API. Status 0: the service could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The typed client of the public API. Adds the session token and detects an expired session. */
export const api = createClient<paths>({ baseUrl: SERVICE_URL, fetch: authorisedFetch });

/** Sends a request that the OpenAPI document does not describe. */
export async function fetchApi(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await authorisedFetch(new Request(`${SERVICE_URL}${path}`, init));
  if (!response.ok) throw new ApiError(response.status, await messageIn(response));
  return response;
}

async function authorisedFetch(request: Request): Promise<Response> {
  const session = getSession();
  if (session?.isExpired && !isLogin(request)) throw new ApiError(401, t('common.error.session'));
  if (session && !session.isExpired) request.headers.set('Authorization', `Bearer ${session.accessToken}`);
  const response = await fetch(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error;
    throw new ApiError(0, t('common.error.unreachable'));
  });
  if (response.status === 401 && session && !isLogin(request)) expireSession(session);
  return response;
}

const isLogin = ({ url }: Request): boolean => url === `${SERVICE_URL}/api/auth/login`;

interface ApiResult<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Returns the body of a successful response; throws an ApiError otherwise. */
export async function unwrap<T>(request: Promise<ApiResult<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (!response.ok) throw new ApiError(response.status, messageOf(error) ?? statusText(response));
  return data as T;
}

async function messageIn(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  return messageOf(body) ?? statusText(response);
}

const statusText = ({ status }: Response): string => t('common.error.status', { status });

function messageOf(body: unknown): string | undefined {
  const { message } = (body ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : undefined;
}
