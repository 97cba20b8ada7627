import { createHmac } from 'node:crypto';

/**
 * "Validate requests" of Twilio's documentation: the address, then each parameter in the order of their names, its name
 * followed by its value.
 */
export function sign(authToken: string, url: string, parameters: Readonly<Record<string, string>>): string {
  const signed = Object.entries(parameters)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .reduce((text, [name, value]) => `${text}${name}${value}`, url);
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}
