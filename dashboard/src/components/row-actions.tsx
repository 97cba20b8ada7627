import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** The actions of a table row. Where there is a mouse they are shown while it is over the row or one has the focus. */
export const RowActions = ({ children }: { children: ReactNode }) => <div className="row-actions">{children}</div>;

interface Props {
  label: string;
  icon: LucideIcon;
  isBusy?: boolean;
  onClick: () => void;
}

/** A button with an icon, of plain elements because a list has many of them. */
export const RowAction = ({ label, icon: Icon, isBusy = false, onClick }: Props) => (
  <button
    type="button"
    className="row-action"
    aria-label={label}
    title={label}
    aria-busy={isBusy || undefined}
    disabled={isBusy}
    onClick={onClick}
  >
    <Icon size={14} aria-hidden />
  </button>
);
