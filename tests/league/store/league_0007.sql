BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0007');
CREATE TABLE bot (
	id INTEGER NOT NULL, 
	name VARCHAR(80) NOT NULL, 
	name_folded VARCHAR(80) NOT NULL, 
	is_retired INTEGER NOT NULL, 
	games TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_bot PRIMARY KEY (id), 
	CONSTRAINT uq_bot_name_folded UNIQUE (name_folded)
);
INSERT INTO "bot" VALUES(1,'ab','ab',0,'[]',1795348425);
INSERT INTO "bot" VALUES(2,'rnd','rnd',0,'[]',1795348426);
INSERT INTO "bot" VALUES(3,'bad','bad',0,'[]',1795348426);
CREATE TABLE encounter (
	tournament_id INTEGER NOT NULL, 
	number BIGINT NOT NULL, 
	stage INTEGER NOT NULL, 
	opening BIGINT NOT NULL, 
	entrants TEXT NOT NULL, 
	CONSTRAINT pk_encounter PRIMARY KEY (tournament_id, number), 
	CONSTRAINT fk_encounter_tournament_id_tournament FOREIGN KEY(tournament_id) REFERENCES tournament (id) ON DELETE CASCADE
)
 WITHOUT ROWID

;
INSERT INTO "encounter" VALUES(1,0,0,0,'0,1');
INSERT INTO "encounter" VALUES(2,0,0,0,'0,1');
INSERT INTO "encounter" VALUES(3,0,0,0,'0,1');
CREATE TABLE in_play (
	tournament_id INTEGER NOT NULL, 
	place INTEGER NOT NULL, 
	encounter BIGINT NOT NULL, 
	rotation INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	versions TEXT NOT NULL, 
	moves TEXT NOT NULL, 
	moved_at BIGINT NOT NULL, 
	CONSTRAINT pk_in_play PRIMARY KEY (tournament_id, place), 
	CONSTRAINT fk_in_play_tournament_id_tournament FOREIGN KEY(tournament_id) REFERENCES tournament (id) ON DELETE CASCADE
);
CREATE TABLE lineup (
	id INTEGER NOT NULL, 
	tournament_id INTEGER NOT NULL, 
	versions TEXT NOT NULL, 
	CONSTRAINT pk_lineup PRIMARY KEY (id), 
	CONSTRAINT uq_lineup_tournament_id_versions UNIQUE (tournament_id, versions), 
	CONSTRAINT fk_lineup_tournament_id_tournament FOREIGN KEY(tournament_id) REFERENCES tournament (id) ON DELETE CASCADE
);
INSERT INTO "lineup" VALUES(1,1,'1,2');
INSERT INTO "lineup" VALUES(2,1,'2,1');
INSERT INTO "lineup" VALUES(3,2,'1,3');
INSERT INTO "lineup" VALUES(4,2,'3,1');
INSERT INTO "lineup" VALUES(5,3,'1,2');
INSERT INTO "lineup" VALUES(6,3,'2,1');
INSERT INTO "lineup" VALUES(7,4,'1,2');
INSERT INTO "lineup" VALUES(8,4,'2,1');
CREATE TABLE lineup_seat (
	lineup_id INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	version_id INTEGER NOT NULL, 
	CONSTRAINT pk_lineup_seat PRIMARY KEY (lineup_id, seat), 
	CONSTRAINT fk_lineup_seat_lineup_id_lineup FOREIGN KEY(lineup_id) REFERENCES lineup (id) ON DELETE CASCADE, 
	CONSTRAINT fk_lineup_seat_version_id_version FOREIGN KEY(version_id) REFERENCES version (id)
);
INSERT INTO "lineup_seat" VALUES(1,0,1);
INSERT INTO "lineup_seat" VALUES(1,1,2);
INSERT INTO "lineup_seat" VALUES(2,0,2);
INSERT INTO "lineup_seat" VALUES(2,1,1);
INSERT INTO "lineup_seat" VALUES(3,0,1);
INSERT INTO "lineup_seat" VALUES(3,1,3);
INSERT INTO "lineup_seat" VALUES(4,0,3);
INSERT INTO "lineup_seat" VALUES(4,1,1);
INSERT INTO "lineup_seat" VALUES(5,0,1);
INSERT INTO "lineup_seat" VALUES(5,1,2);
INSERT INTO "lineup_seat" VALUES(6,0,2);
INSERT INTO "lineup_seat" VALUES(6,1,1);
INSERT INTO "lineup_seat" VALUES(7,0,1);
INSERT INTO "lineup_seat" VALUES(7,1,2);
INSERT INTO "lineup_seat" VALUES(8,0,2);
INSERT INTO "lineup_seat" VALUES(8,1,1);
CREATE TABLE lineup_total (
	lineup_id INTEGER NOT NULL, 
	scores TEXT NOT NULL, 
	termination VARCHAR(20) NOT NULL, 
	fault_seat INTEGER NOT NULL, 
	matches BIGINT NOT NULL, 
	CONSTRAINT pk_lineup_total PRIMARY KEY (lineup_id, scores, termination, fault_seat), 
	CONSTRAINT fk_lineup_total_lineup_id_lineup FOREIGN KEY(lineup_id) REFERENCES lineup (id) ON DELETE CASCADE
);
INSERT INTO "lineup_total" VALUES(1,'1,0','rules',-1,1);
INSERT INTO "lineup_total" VALUES(2,'0,1','rules',-1,1);
INSERT INTO "lineup_total" VALUES(3,'1,0','illegal move',1,1);
INSERT INTO "lineup_total" VALUES(4,'0,1','illegal move',0,1);
INSERT INTO "lineup_total" VALUES(5,'1,0','rules',-1,1);
INSERT INTO "lineup_total" VALUES(6,'1,0','rules',-1,1);
INSERT INTO "lineup_total" VALUES(7,'1,0','rules',-1,1);
INSERT INTO "lineup_total" VALUES(8,'0.5,0.5','adjudicated',-1,1);
CREATE TABLE "match" (
	id INTEGER NOT NULL, 
	tournament_id INTEGER NOT NULL, 
	encounter BIGINT NOT NULL, 
	rotation INTEGER NOT NULL, 
	lineup_id INTEGER NOT NULL, 
	scores TEXT NOT NULL, 
	termination VARCHAR(20) NOT NULL, 
	fault_seat INTEGER, 
	plies INTEGER NOT NULL, 
	wall_ms BIGINT NOT NULL, 
	finished_at BIGINT NOT NULL, 
	CONSTRAINT pk_match PRIMARY KEY (id), 
	CONSTRAINT uq_match_tournament_id_encounter_rotation UNIQUE (tournament_id, encounter, rotation), 
	CONSTRAINT ck_match_plies CHECK (plies >= 0), 
	CONSTRAINT fk_match_tournament_id_tournament FOREIGN KEY(tournament_id) REFERENCES tournament (id) ON DELETE CASCADE, 
	CONSTRAINT fk_match_lineup_id_lineup FOREIGN KEY(lineup_id) REFERENCES lineup (id) ON DELETE CASCADE
);
INSERT INTO "match" VALUES(1,1,0,0,1,'1,0','rules',NULL,13,809,1795348428);
INSERT INTO "match" VALUES(2,1,0,1,2,'0,1','rules',NULL,16,863,1795348428);
INSERT INTO "match" VALUES(3,2,0,1,3,'1,0','illegal move',1,1,221,1795348429);
INSERT INTO "match" VALUES(4,2,0,0,4,'0,1','illegal move',0,2,235,1795348429);
INSERT INTO "match" VALUES(5,3,0,0,5,'1,0','rules',NULL,3,239,1795348431);
INSERT INTO "match" VALUES(6,3,0,1,6,'1,0','rules',NULL,3,233,1795348431);
INSERT INTO "match" VALUES(7,4,0,0,7,'1,0','rules',NULL,7,0,1795348463);
INSERT INTO "match" VALUES(8,4,1,0,8,'0.5,0.5','adjudicated',NULL,3,0,1795348463);
CREATE TABLE rating_snapshot (
	id INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	system VARCHAR(80) NOT NULL, 
	settings TEXT NOT NULL, 
	anchor TEXT NOT NULL, 
	tournament_id INTEGER NOT NULL, 
	encounter BIGINT NOT NULL, 
	rotation INTEGER NOT NULL, 
	matches BIGINT NOT NULL, 
	match_id BIGINT NOT NULL, 
	finished_at BIGINT NOT NULL, 
	ratings BLOB NOT NULL, 
	covariance BLOB NOT NULL, 
	state BLOB NOT NULL, 
	CONSTRAINT pk_rating_snapshot PRIMARY KEY (id), 
	CONSTRAINT fk_rating_snapshot_tournament_id_tournament FOREIGN KEY(tournament_id) REFERENCES tournament (id) ON DELETE CASCADE
);
INSERT INTO "rating_snapshot" VALUES(1,'connectfour','fitted','{"advantage": true, "initial": 1200.0, "prior": 0.5}','',1,9007199254740992,0,2,2,1795348428,X'789C75CAC10D00310803B085102240AE6116D4FDD7E804E7B77761A809578B01E9E8A315E51A852AD9A4AA2DAF6D1A22C641F40848D44FBD0F2B6A1270',X'789CFBF18BC9FDC72FA6E340EC0E00329B0732',X'789C030000000001');
INSERT INTO "rating_snapshot" VALUES(2,'connectfour','elo','{"initial": 1200.0, "k": 10.0}','',1,0,0,1,1,1795348428,X'789C8B8E36D431343230D533D0C92BCDC9D1318CD58936D23134B44412890500B58309EC',X'789C030000000001',X'789CAB563254B232343230D533D0513202320D2D81CC5A00392F04D8');
INSERT INTO "rating_snapshot" VALUES(3,'connectfour','elo','{"initial": 1200.0, "k": 10.0}','',1,0,1,2,2,1795348428,X'789C35C9B10D00200C03B08722444A29E1968A0F101BFF33E1D59904ADCEA21E34B1AB39CEDD1BB6900672D6426F1A9433E2DF7A87E90E11',X'789C030000000001',X'789C0DC8C10D00200804B05D781BC201E2E16AC6DDB5CF1E816CB8B572169C988C1CE23FD1A6C8E0021355F701C2D308FB');
INSERT INTO "rating_snapshot" VALUES(4,'tictactoe','fitted','{"advantage": true, "initial": 1200.0, "prior": 0.5}','',2,9007199254740992,0,2,4,1795348429,X'789C75CAC10DC0300803C08510C218B7669628FBAFD1097AEF3B07016EA5C72AD8AF1F05E5F4BACCD648E644DF380C546D429835D0E04FBD1F2B941271',X'789CFBF18BC9FDC72FA6E340EC0E00329B0732',X'789C030000000001');
INSERT INTO "rating_snapshot" VALUES(5,'tictactoe','elo','{"initial": 1200.0, "k": 10.0}','',2,0,0,1,4,1795348429,X'789C8B8E36D431343230D533D0C92BCDC9D1318CD58936D63134B44412890500B59409ED',X'789C030000000001',X'789CAB563256B23234B434D533D0513204328D0C80CC5A0039A704D9');
INSERT INTO "rating_snapshot" VALUES(6,'tictactoe','elo','{"initial": 1200.0, "k": 10.0}','',2,0,1,2,4,1795348429,X'789C35C9B10D00210C03C0852C849310CC2C111B20BADFFF2BAEBD2A82D657D3489A38E481FB9D03DB2807B97A63B82615CC7CB77F88040E12',X'789C030000000001',X'789C0DC8C10D00200804B05D781BC201E2E16AC6DDB5CF1E09D9409B22830B4C540DC14FB756CE82139391F701C2D208FC');
INSERT INTO "rating_snapshot" VALUES(7,'tree?file=chance','fitted','{"advantage": true, "initial": 1200.0, "prior": 0.5}','',3,9007199254740992,0,2,6,1795348431,X'789C8B8E36D431343230D033D03136B0D033323503024B4B032030D2318AD58936C2271D0B00A5F40D3E',X'789C7B637FD0ED8DFDC16340EC06002F830717',X'789C030000000001');
INSERT INTO "rating_snapshot" VALUES(8,'tree?file=chance','elo','{"initial": 1200.0, "k": 10.0}','',3,0,0,1,5,1795348431,X'789C8B8E36D431343230D533D0C92BCDC9D1318CD58936D23134B44412890500B58309EC',X'789C030000000001',X'789CAB563254B232343230D533D0513202320D2D81CC5A00392F04D8');
INSERT INTO "rating_snapshot" VALUES(9,'tree?file=chance','elo','{"initial": 1200.0, "k": 10.0}','',3,0,1,2,6,1795348431,X'789C35C9B10D00200C03B08722444A29E1968A0F101BFF33E1D599043967510F9AD8D51CE7EE0D5B4803ADD6426F1A9433E2DF7A88C90E11',X'789C030000000001',X'789C0DC8C10D00200804B05D781BC201E2E16AC6DDB5CF1E816CA05B390B4E4C460EF19F6EA6C8E0021355F701C37B08FB');
CREATE TABLE record (
	match_id INTEGER NOT NULL, 
	data BLOB NOT NULL, 
	CONSTRAINT pk_record PRIMARY KEY (match_id), 
	CONSTRAINT fk_record_match_id_match FOREIGN KEY(match_id) REFERENCES "match" (id) ON DELETE CASCADE
);
INSERT INTO "record" VALUES(1,X'03FEA07918C3F0940EE98E4437130000416C036A4B87D1AC287A473DB3B38860859A54669CE5A4DCE7829D6E582B09C39A4BD6F9F86BE1E12AEC84B3367EE04EBE5E8EABDEF578CA7E8F287EC7FA1EB1CC1C');
INSERT INTO "record" VALUES(2,X'038DAA6EB843F794918E2125F6A11B0F000048C973DEFDE0D97D70C12DFA0D72C47EFA7268851834008F3E47A39CB175A8C4C8F59E36FF41F1EC9D3CA406A81B7377586C75104C68C0914432AAECB34CB4766DF641052FEEF26060');
INSERT INTO "record" VALUES(3,X'031D67185943F5A1A18E318A1333737252D313731472F3CB52A1C61BEA2825E61597A716A5A62824E62920AB50303747F12E00001008A650CD1CD6CCF2C041052FEEF26060');
INSERT INTO "record" VALUES(4,X'0356CA219E43F5A1B18E218A6D993939A9E989390AB9F965A950E30D749412F38ACB538B52531412F314905528989B233BA3A0B42815680300001E0FA7502D0EE286A918E18F284DDA03BEB3A6A6B67ABF64BEC7FA1EB1CC1C');
INSERT INTO "record" VALUES(5,X'03973549E403FAB02835D53E0DC8B54DCE48CC4B0679D450877497169416A502CD0300001E045E625356D39014DA65E636F17C85B1D33505BFF0B136DEC7FA1EB1CC1C');
INSERT INTO "record" VALUES(6,X'037E33E5E203FAB02835D53E0DC8B54DCE48CC4B0679D448C710AB4B4D402E35C16E694169512AD03C00001F014ED0380ECDD86824DD28D2633C3A6B02DC40020D4A1C73C1052FEEF26060');
INSERT INTO "record" VALUES(7,X'038E7A82F88B867BD5508764E7C5C60200001237F45C3A4196644182812CB06FF52F62C182');
INSERT INTO "record" VALUES(8,X'03DC4BF4A48B867BD54807D543892959A52999C98925207D6093213625162B6496142BA4010D50284EAC2C46F12100000C02D410F7FE94DBFD8EE1A572');
CREATE TABLE setting (
	"key" VARCHAR(80) NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_setting PRIMARY KEY ("key")
);
CREATE TABLE tournament (
	id INTEGER NOT NULL, 
	game TEXT NOT NULL, 
	config TEXT NOT NULL, 
	total BIGINT, 
	created_at BIGINT NOT NULL, 
	stop_reason TEXT, 
	state VARCHAR(10) DEFAULT 'open' NOT NULL, 
	request VARCHAR(10) DEFAULT '' NOT NULL, 
	revision INTEGER DEFAULT '1' NOT NULL, 
	CONSTRAINT pk_tournament PRIMARY KEY (id)
);
INSERT INTO "tournament" VALUES(1,'connectfour','{"game": "connectfour", "entrants": [1, 2], "rounds": 1, "seed": 5, "opening_plies": 4, "limits": {"move_s": null, "depth": 3, "nodes": null, "grace_s": 0.05, "cap_s": 60.0, "start_s": 10.0, "memory_mb": 1024, "max_plies": 1000, "depth_rounds": null, "isolation": "limits", "is_frozen": false, "time": ""}, "format": "roundrobin", "game_digest": "", "is_restarted": false, "joined": [], "withdrawn": [], "until_error": null, "budget_s": null, "adjudication": {"draw": null, "win": null, "tablebases": ""}, "handicaps": [], "openings": "", "source": ""}',2,1795348427,NULL,'finished','',1);
INSERT INTO "tournament" VALUES(2,'tictactoe','{"game": "tictactoe", "entrants": [3, 1], "rounds": 1, "seed": 5, "opening_plies": 1, "limits": {"move_s": null, "depth": 3, "nodes": null, "grace_s": 0.05, "cap_s": 60.0, "start_s": 10.0, "memory_mb": 1024, "max_plies": 1000, "depth_rounds": null, "isolation": "sandbox", "is_frozen": false, "time": ""}, "format": "roundrobin", "game_digest": "", "is_restarted": false, "joined": [], "withdrawn": [], "until_error": null, "budget_s": null, "adjudication": {"draw": null, "win": null, "tablebases": ""}, "handicaps": [], "openings": "", "source": ""}',2,1795348429,NULL,'finished','',1);
INSERT INTO "tournament" VALUES(3,'tree?file=chance','{"game": "tree?file=chance", "entrants": [1, 2], "rounds": 1, "seed": 5, "opening_plies": 0, "limits": {"move_s": null, "depth": 3, "nodes": null, "grace_s": 0.05, "cap_s": 60.0, "start_s": 10.0, "memory_mb": 1024, "max_plies": 1000, "depth_rounds": null, "isolation": "limits", "is_frozen": false, "time": ""}, "format": "roundrobin", "game_digest": "9e2307bfd0a3b061", "is_restarted": false, "joined": [], "withdrawn": [], "until_error": null, "budget_s": null, "adjudication": {"draw": null, "win": null, "tablebases": ""}, "handicaps": [], "openings": "", "source": ""}',2,1795348430,NULL,'finished','',1);
INSERT INTO "tournament" VALUES(4,'chess','{"game": "chess", "entrants": [1, 2], "rounds": 1, "seed": 0, "opening_plies": 0, "limits": {"move_s": null, "depth": null, "nodes": null, "grace_s": 0.05, "cap_s": 60.0, "start_s": 10.0, "memory_mb": 1024, "max_plies": 1000, "depth_rounds": null, "isolation": "limits", "is_frozen": false, "time": ""}, "format": "import", "game_digest": "", "is_restarted": false, "joined": [], "withdrawn": [], "until_error": null, "budget_s": null, "adjudication": {"draw": null, "win": null, "tablebases": ""}, "handicaps": [], "openings": "", "source": "44e8d8f52b8cc2ca09fe5f018bb361e4c89a147f1fb966ef05a0879b5e96079c"}',2,1795348463,NULL,'finished','',2);
CREATE TABLE version (
	id INTEGER NOT NULL, 
	bot_id INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	spec TEXT NOT NULL, 
	options TEXT NOT NULL, 
	files BLOB NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	folder TEXT DEFAULT '' NOT NULL, 
	created_at BIGINT NOT NULL, 
	CONSTRAINT pk_version PRIMARY KEY (id), 
	CONSTRAINT uq_version_bot_id_number UNIQUE (bot_id, number), 
	CONSTRAINT fk_version_bot_id_bot FOREIGN KEY(bot_id) REFERENCES bot (id) ON DELETE CASCADE
);
INSERT INTO "version" VALUES(1,1,1,'alphabeta','{"depth": "3"}',X'789CABAE0500017500F9','ee3bdd27fafc6f4adc2bb7e830cfbdd0f59cf2cafb5750bb289825b47c4e9e44','',1795348425);
INSERT INTO "version" VALUES(2,2,1,'random','{}',X'789CABAE0500017500F9','90790a19c4c6cf6679e4c2e483305cbb8afd5ec0568d967423525c90a442120c','',1795348426);
INSERT INTO "version" VALUES(3,3,1,'bad.py','{}',X'789C458EC10AC2400C447F65E849417B2DEC41107F40F0BA97ED36B5D56E5276A3A588FF6E6BA52690C34C5E32AFAC7455DE8F994166BF7DE434504C185A6DE010E449D0C6E93408A5B858A171092C9A2F8065CB759430999AD0865EA2E2D489BFFFF4AB0BB41A17754A3362B9A21ABE1149B449B36A1673073FC366B9B1C5FE00296FE4D558C654CBD773E746485DFF63AD71E6A548FA888CA2B09CBD3F3D994D04','423192fe8721e45c72a6bab7da311a27adf9943792168cb625016feb0920d871','',1795348426);
CREATE INDEX ix_tournament_game ON tournament (game);
CREATE INDEX ix_rating_snapshot_series ON rating_snapshot (game, system, settings, anchor, matches);
CREATE INDEX ix_lineup_seat_version_id ON lineup_seat (version_id);
CREATE INDEX ix_match_lineup_id ON "match" (lineup_id);
COMMIT;
