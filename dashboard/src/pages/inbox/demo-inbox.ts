import { fetchApi } from '../../api/client';

/** A mail received by the demo's own relay. These endpoints exist in the demo only and are not in openapi.json. */
export interface CaughtMail {
  number: number;
  receivedAt: string;
  from: string;
  to: string[];
  subject: string;
}

export interface OpenedMail extends CaughtMail {
  html: string | null;
  text: string;
  raw: string;
}

export const listMails = async (signal: AbortSignal): Promise<{ items: CaughtMail[] }> =>
  (await fetchApi('/api/demo/inbox', { signal })).json() as Promise<{ items: CaughtMail[] }>;

export const openMail = async (number: string, signal: AbortSignal): Promise<OpenedMail> =>
  (await fetchApi(`/api/demo/inbox/${encodeURIComponent(number)}`, { signal })).json() as Promise<OpenedMail>;
