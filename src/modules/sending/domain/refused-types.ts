/**
 * File types that Amazon SES refuses ("Unsupported attachment types" in its developer guide), and other providers
 * with it. They are refused whatever the provider, because an account can change it between acceptance and delivery.
 */
const REFUSED_TYPES = new Set(
  `ade adp app asp bas bat cer chm cmd com cpl crt csh der exe fxp gadget hlp hta inf ins isp its js jse ksh lib lnk mad
  maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh msh1 msh2 mshxml msh1xml msh2xml msi msp mst
  ops pcd pif plg prf prg reg scf scr sct shb shs sys ps1 ps1xml ps2 ps2xml psc1 psc2 tmp url vb vbe vbs vps vsmacros
  vss vst vsw vxd ws wsc wsf wsh xnk`.split(/\s+/),
);

/**
 * The extension with its dot, if providers refuse it. Some systems ignore dots and spaces at the end of a name, and
 * what follows a colon.
 */
export function refusedType(filename: string): string | undefined {
  const [name = ''] = filename.split(':');
  const parts = name.split('.').map((part) => part.trim());
  while (parts.at(-1) === '') parts.pop();
  const extension = parts.length > 1 ? (parts.at(-1) ?? '').toLowerCase() : '';
  return REFUSED_TYPES.has(extension) ? `.${extension}` : undefined;
}

/** Whether programs may take only a part of the name for the name of the file, and so for another type: `evil.exe/`. */
export const namesPath = (filename: string): boolean => /[/\\]/.test(filename);
