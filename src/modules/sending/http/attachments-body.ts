/** The path of the base64 files in the bodies of sends. */
export const ATTACHMENTS_PATH = ['attachments', null, 'content'] as const;
