import createClient from 'openapi-fetch';

import { SERVICE } from '../app/base';
import { expireSession, getSession } from '../app/session';
import type { paths } from './schema';

/** What the service refused, in its own words, or why it could not be asked (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The public API, typed from its description. Requests carry the session; that a session is over is noticed here. */
export const api = createClient<paths>({ baseUrl: SERVICE, fetch: authorisedFetch });

/** For the few answers that the description does not cover. */
export async function fetchApi(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await authorisedFetch(new Request(`${SERVICE}${path}`, init));
  if (!response.ok) throw new ApiError(response.status, await messageIn(response));
  return response;
}

async function authorisedFetch(request: Request): Promise<Response> {
  const session = getSession();
  if (session?.isOver && !isLogin(request)) throw new ApiError(401, 'Your session has expired. Sign in again.');
  if (session && !session.isOver) request.headers.set('Authorization', `Bearer ${session.accessToken}`);
  const response = await fetch(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error;
    throw new ApiError(0, 'The service cannot be reached. Check your connection and try again.');
  });
  if (response.status === 401 && session && !isLogin(request)) expireSession(session);
  return response;
}

const isLogin = ({ url }: Request): boolean => url === `${SERVICE}/api/auth/login`;

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a good answer; throws an ApiError for any other. */
export async function answerOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(response.status, messageOf(error) ?? `The service responded with status ${response.status}.`);
  return data as T;
}

async function messageIn(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  return messageOf(body) ?? `The service responded with status ${response.status}.`;
}

function messageOf(body: unknown): string | undefined {
  const { message } = (body ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : undefined;
}
