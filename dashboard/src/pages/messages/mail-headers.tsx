import './mail-headers.css';

import { LoadError, Loading } from '../../components/states';
import { DeletedContent } from './deleted-content';
import { headerFieldsOf } from './header-fields';
import { useMailSource } from './use-mail-source';

/** The headers of the mail, one per line. */
export function MailHeaders({ id }: { id: string }) {
  const { data, error } = useMailSource(id);
  if (!data) return error ? <LoadError error={error} /> : <Loading />;
  if (data.source === null) return <DeletedContent />;
  return (
    <dl className="mail-headers" tabIndex={0}>
      {headerFieldsOf(data.source).map(([name, value], i) => (
        <div key={i}>
          <dt>{name}</dt>
          <dd className="mono">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
