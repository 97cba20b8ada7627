import icon from '../icon.svg';

export const Logo = ({ size = 28 }: { size?: number }) => <img src={icon} width={size} height={size} alt="" />;
