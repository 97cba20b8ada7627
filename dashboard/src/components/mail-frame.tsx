import { type CSSProperties, useMemo } from 'react';

import { styleNonce } from '../app/style-nonce';
import { type ColourScheme, inertMail, type MailImages } from './inert-mail';

/** The mail may not load resources, run scripts or submit forms. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'";

const NO_ATTACHMENTS: MailImages = new Map();

interface Props {
  html: string;
  title: string;
  images?: MailImages;
  colourScheme?: ColourScheme;
  style?: CSSProperties;
}

/** Renders a mail in a sandboxed frame without scripts, navigation or network access, so without remote images. */
export function MailFrame({ html, title, images = NO_ATTACHMENTS, colourScheme = 'light', style }: Props) {
  const source = useMemo(
    () => inertMail(html, { nonce: styleNonce, policy: POLICY, images, colourScheme }),
    [html, images, colourScheme],
  );
  // A new frame for each mail: Chromium may go on showing the former one if it changes while that is being loaded.
  return <iframe key={source} title={title} sandbox="" srcDoc={source} className="mail-frame" style={style} />;
}
