import { Fragment } from 'react';

/** An address that breaks, where it is too long for a line, before one of its parts. */
export const Address = ({ children }: { children: string }) =>
  children.split(/(?=[@.])/).map((part, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ));
