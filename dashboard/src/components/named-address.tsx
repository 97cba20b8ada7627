import { Address } from './address';

interface Props {
  name: string | null;
  address: string;
}

/** The name is isolated: characters in it that reverse the direction of text do not reverse the address. */
export const NamedAddress = ({ name, address }: Props) =>
  name === null ? (
    <Address>{address}</Address>
  ) : (
    <>
      <bdi>{name}</bdi> <Address>{`<${address}>`}</Address>
    </>
  );
