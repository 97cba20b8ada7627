/** The SID of a messaging service. The DTO repeats it: the API document takes patterns from literals alone. */
export const MESSAGING_SERVICE = /^MG[0-9a-fA-F]{32}$/;
