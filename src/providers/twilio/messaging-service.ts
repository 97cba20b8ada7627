/** The SID of a messaging service of Twilio. */
export const MESSAGING_SERVICE = /^MG[0-9a-fA-F]{32}$/;
