package rowtest

import (
	"strings"

	"github.com/doneby/doneby/internal/knowledge"
)

func bareConn(s *scene) error    { s.lonely = true; return s.onConn(s.connPlace(), s.greeting()) }
func boundConn(s *scene) error   { s.lonely = true; return s.onConn(s.connPlace(), setDeadline) }
func bareInReach(s *scene) error { s.inReach(); return s.onConn(s.connPlace(), "") }

// otherConn puts the connection where the row has its second.
func otherConn(s *scene) error { s.lonely = true; return s.onConn(s.row.Also[0], "") }

const setDeadline = "_ = conn.SetDeadline(%s)"

// greeting is no deadline, but where a row bounds its own call: there one for what its client says before.
func (s *scene) greeting() string {
	if bounded(s.row) {
		return setDeadline
	}
	return ""
}

// connPlace is where the row has its connection.
func (s *scene) connPlace() knowledge.Place {
	if s.row.On.IsSet() {
		return s.row.On
	}
	return knowledge.Place{Kind: knowledge.Recv}
}

// onConn dials a connection, perhaps with a deadline, and puts the call on it.
func (s *scene) onConn(at knowledge.Place, deadline string) error {
	if err := s.connected(at, deadline); err != nil {
		return err
	}
	_, err := s.call(-1)
	return err
}

func (s *scene) connected(at knowledge.Place, deadline string) error {
	if s.lonely {
		s.dial()
	} else {
		s.do(`conn, _ := new(%s.Dialer).DialContext(ctx, "tcp", "host:1")`, s.imports.name("net")) // which ends with ctx
	}
	if deadline != "" {
		t, err := s.param(s.w.std("time", "Time"))
		if err != nil {
			return err
		}
		s.do(deadline, t)
	}
	x, err := s.over(s.fn.at(at))
	if err == nil {
		s.put(at, x)
	}
	return err
}

func resultOfConn(s *scene) error      { return s.resultOfConn("") }
func resultOfBoundConn(s *scene) error { return s.resultOfConn(setDeadline) }

func (s *scene) resultOfConn(deadline string) error {
	s.lonely = true
	if err := s.connected(s.connPlace(), deadline); err != nil {
		return err
	}
	return s.useResult()
}

func deadlineSet(s *scene) error { return s.deadline("") }

func deadlineCleared(s *scene) error { return s.deadline(s.imports.name("time") + ".Time{}") }

// deadline has one for what the client says when it is made, sets that of the row, and reads, or writes where it is a deadline for writes.
func (s *scene) deadline(until string) error {
	s.lonely = true
	if err := s.connected(knowledge.Place{Kind: knowledge.Recv}, setDeadline); err != nil {
		return err
	}
	if until != "" {
		s.put(s.row.Until, until)
	}
	if _, err := s.call(-1); err != nil {
		return err
	}
	if strings.HasPrefix(s.fn.obj.Name(), "SetWrite") {
		s.do(`_, _ = conn.Write(nil)`)
		return nil
	}
	s.do(`_, _ = %s.ReadAll(conn)`, s.imports.name("io"))
	return nil
}
